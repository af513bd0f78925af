namespace Tarn;

/// <summary>A place in the order of a scope's allocations, to go back to with <see cref="NativeScope.Rewind"/>.</summary>
/// <remarks>
/// <see cref="NativeScope.Mark"/> returns it. It may be copied and used repeatedly. It ends when its scope goes back to an older place, is
/// reset or disposed.
/// </remarks>
#pragma warning disable CA1815 // nobody compares places
public readonly struct NativeScopeMark
#pragma warning restore CA1815
{
    internal NativeScopeMark(NativeScope scope, int index, long number, long allocatedBytes)
    {
        Scope = scope;
        Index = index;
        Number = number;
        AllocatedBytes = allocatedBytes;
    }

    /// <summary>The scope's <see cref="NativeScope.AllocatedBytes"/> when the mark was made, and again after each rewind to it.</summary>
    public long AllocatedBytes { get; }

    /// <summary>The scope; null in a default instance.</summary>
    internal NativeScope? Scope { get; }

    /// <summary>The index of the saved place, if it is still there.</summary>
    internal int Index { get; }

    /// <summary>The number of the saved place.</summary>
    internal long Number { get; }
}
