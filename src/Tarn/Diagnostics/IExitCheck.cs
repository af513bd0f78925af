namespace Tarn.Diagnostics;

/// <summary>A source that keeps buffers and verifies them on request: at the end of the process, or before.</summary>
internal interface IExitCheck
{
    /// <summary>Reports each misuse found, once. Other threads still run.</summary>
    /// <param name="isExit">Whether the process ends, so that buffers still in use are lost.</param>
    void Look(bool isExit);
}
