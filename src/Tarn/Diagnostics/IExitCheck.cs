namespace Tarn;

/// <summary>Something that has a last look at what it keeps when the process ends.</summary>
internal interface IExitCheck
{
    /// <summary>Reports what is wrong. Other threads still run.</summary>
    void LookAtExit();
}
