using System.Buffers;

/// <summary>The fields get their arrays from variables that get them from each other, which is followed only in a line.</summary>
internal sealed class UnreturnedThroughLocals
{
    private byte[]? _circled;
    private byte[]? _crossed;
    private byte[]? _inLine;

    internal void Circle(int length)
    {
        byte[]? buffer = null;
        buffer = length > 3 ? buffer : ArrayPool<byte>.Shared.Rent(length);
        _circled = buffer;
    }

    internal void Cross(int length)
    {
        byte[]? one = ArrayPool<byte>.Shared.Rent(length);
        byte[]? other = one ?? null;
        one = length > 3 ? other ?? one : one;
        other = one ?? other;
        _crossed = other;
    }

    internal void Line(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length); // expect TARN011
        buffer[0] = 0;
        _inLine = buffer;
    }

    internal int Count() => (_circled?.Length ?? 0) + (_crossed?.Length ?? 0) + (_inLine?.Length ?? 0);
}
