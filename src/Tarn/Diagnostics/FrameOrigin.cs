namespace Tarn.Diagnostics;

/// <summary>The origin of the code of a stack frame.</summary>
internal enum FrameOrigin
{
    /// <summary>The code that uses the library, or unknown code.</summary>
    Caller,

    /// <summary>This library.</summary>
    Library,

    /// <summary>The runtime, its frameworks, or a test runner: code that is the same in every program.</summary>
    Runtime,
}
