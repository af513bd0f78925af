namespace Tarn;

/// <summary>Whose code a frame of a stack is.</summary>
internal enum FrameOrigin
{
    /// <summary>Of whoever uses the library, or not known.</summary>
    Caller,

    /// <summary>This library's.</summary>
    Library,

    /// <summary>The runtime's, the frameworks' that come with it, or a test runner's: the same in every program.</summary>
    Runtime,
}
