namespace Tarn.Native;

/// <summary>Where a <see cref="NativeFrame"/> began: a saved place of its scope. It may be copied.</summary>
/// <param name="Scope">The scope; null in a default instance.</param>
/// <param name="Index">The index of the saved place, if it is still there.</param>
/// <param name="Number">The number of the saved place.</param>
internal readonly record struct FramePlace(NativeScope? Scope, int Index, long Number);
