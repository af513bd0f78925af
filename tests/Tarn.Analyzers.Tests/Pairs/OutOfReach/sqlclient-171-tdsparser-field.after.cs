// dotnet/SqlClient#171 and dotnet/corefx#37270 (TdsParserStateObject.TryReadString).
// When the scratch array of the object was too small, a rented one was put in its field, used, and returned to the
// pool, while the field kept it for the next reads. The fix grows the field with an array of its own.
using System;
using System.Text;

internal sealed class ParserState
{
    private readonly byte[] _input = new byte[8000];
    private int _used;
    private int _read;
    private byte[]? _scratch;

    internal bool TryReadString(int length, out string value)
    {
        int bytes = length << 1;
        byte[] source;
        int offset = 0;

        if (_used + bytes > _read)
        {
            if (_scratch == null || _scratch.Length < bytes)
            {
                _scratch = new byte[bytes];
            }

            if (!TryReadByteArray(_scratch, bytes))
            {
                value = string.Empty;
                return false;
            }

            source = _scratch;
        }
        else
        {
            source = _input;
            offset = _used;
            _used += bytes;
        }

        value = Encoding.Unicode.GetString(source, offset, bytes);
        return true;
    }

    private bool TryReadByteArray(Span<byte> destination, int count)
    {
        if (count > _read - _used)
        {
            return false;
        }

        _input.AsSpan(_used, count).CopyTo(destination);
        _used += count;
        return true;
    }
}
