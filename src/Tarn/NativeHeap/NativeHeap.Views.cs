namespace Tarn;

/// <summary>Blocks as memory of .NET, and blocks that are freed together.</summary>
public sealed unsafe partial class NativeHeap
{
    /// <summary>Opens a scope: what is allocated through it is freed together when it is disposed.</summary>
    /// <returns>The scope; the caller owns it and disposes it before the heap. It takes memory with the first allocation.</returns>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public NativeScope CreateScope()
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        return new NativeScope(this, each: IsChecked);
    }
}
