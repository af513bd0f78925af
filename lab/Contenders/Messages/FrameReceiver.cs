using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// Reads as many bytes as are available and fit, and returns messages in place, so many small ones need one call to the system. An
/// incomplete message is moved to the beginning only if there is no room for the rest.
/// </summary>
/// <param name="port">Where the bytes come from.</param>
/// <param name="longest">Bytes of the longest message.</param>
internal struct FrameReceiver<TPort>(TPort port, int longest) : IMessageReceiver
    where TPort : struct, IBytePort
{
    private const int LengthSize = FrameSender<TPort>.LengthSize;
    private const int SmallestBuffer = 256 << 10;

    private readonly byte[] _buffer = new byte[Math.Max(SmallestBuffer, LengthSize + longest)];
    private int _start;
    private int _end;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Receive<TCheck>(ref TCheck check)
        where TCheck : struct, IMessageCheck => check.Take(Next());

    private ReadOnlySpan<byte> Next()
    {
        Require(LengthSize);
        int length = MemoryMarshal.Read<int>(_buffer.AsSpan(_start));
        if ((uint)length > longest)
        {
            throw new InvalidDataException($"A message claims to have {length} bytes.");
        }

        Require(LengthSize + length);
        int message = _start + LengthSize;
        _start = message + length;
        return _buffer.AsSpan(message, length);
    }

    private void Require(int count)
    {
        if (_end - _start < count)
        {
            Fill(count);
        }
    }

    private void Fill(int count)
    {
        if (_start == _end || _start + count > _buffer.Length)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            _end -= _start;
            _start = 0;
        }

        while (_end - _start < count)
        {
            int read = port.Read(_buffer.AsSpan(_end));
            if (read == 0)
            {
                throw new EndOfStreamException("The other process closed the connection.");
            }

            _end += read;
        }
    }
}
