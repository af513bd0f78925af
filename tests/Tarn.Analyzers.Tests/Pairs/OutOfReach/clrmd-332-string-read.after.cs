// microsoft/clrmd#332 (the heap's read of a string of the target process).
// Memory was read into all of a rented array, which may be longer than the string, and the count of what was read was
// decoded: characters behind the string came with it. The fix reads into the length asked for.
using System;
using System.Buffers;
using System.Text;

internal sealed class TargetHeap
{
    private readonly byte[] _image;

    internal TargetHeap(byte[] image) => _image = image;

    internal string? GetStringContents(int address, int length)
    {
        if (length <= 0)
        {
            return string.Empty;
        }

        byte[] buffer = ArrayPool<byte>.Shared.Rent(length * 2);
        try
        {
            if (!ReadMemory(address, buffer.AsSpan(0, length * 2), out int count))
            {
                return null;
            }

            return Encoding.Unicode.GetString(buffer, 0, count);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private bool ReadMemory(int address, Span<byte> destination, out int count)
    {
        count = Math.Min(destination.Length, _image.Length - address);
        if (count <= 0)
        {
            return false;
        }

        _image.AsSpan(address, count).CopyTo(destination);
        return true;
    }
}
