namespace Tarn;

/// <summary>Something that keeps buffers and looks at them when asked: at the end of the process, or before.</summary>
internal interface IExitCheck
{
    /// <summary>Reports what is wrong, each thing once. Other threads still run.</summary>
    /// <param name="isExit">The process ends: what is in use by now is lost.</param>
    void Look(bool isExit);
}
