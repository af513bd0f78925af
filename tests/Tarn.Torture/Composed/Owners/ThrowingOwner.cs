using System.Buffers;

namespace Tarn.Torture.Composed.Owners;

/// <summary>An owner of someone else, whose disposal throws.</summary>
internal sealed class ThrowingOwner(byte[] bytes) : IMemoryOwner<byte>
{
    /// <inheritdoc/>
    public Memory<byte> Memory => bytes;

    internal bool IsDisposed { get; private set; }

    /// <inheritdoc/>
    public void Dispose()
    {
        IsDisposed = true;
        throw new DisposalException();
    }

    internal sealed class DisposalException() : Exception("The disposal of an owner failed.");
}
