using System;
using System.Buffers;
using System.IO;

/// <summary>A field whose array goes back may hold none yet.</summary>
internal sealed class FieldThatMayBeNull(Stream target) : IDisposable
{
    private byte[]? _kept = ArrayPool<byte>.Shared.Rent(100);

    internal void Move(Stream source)
    {
        if (_kept == null)
        {
            byte[] buffer = ArrayPool<byte>.Shared.Rent(100);
            int count = source.Read(buffer, 0, 100);
            target.Write(buffer, 0, count);
            ArrayPool<byte>.Shared.Return(buffer);
            target.WriteByte(buffer[0]); // expect TARN002
        }
        else
        {
            target.Write(_kept, 0, 10);
            ArrayPool<byte>.Shared.Return(_kept);
            _kept = null;
        }
    }

    public void Dispose()
    {
        byte[]? kept = _kept;
        _kept = null;
        if (kept != null)
        {
            ArrayPool<byte>.Shared.Return(kept);
        }
    }
}
