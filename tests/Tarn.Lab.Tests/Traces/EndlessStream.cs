namespace Tarn.Lab.Tests.Traces;

/// <summary>Begins with some bytes and continues with zeros forever. A reader that reads a gibibyte of it has failed to notice.</summary>
internal sealed class EndlessStream(byte[] beginning) : MemoryStream(beginning)
{
    private const long Most = 1L << 30;

    private long _read;

    /// <summary>The other ways to read come here.</summary>
    public override int Read(byte[] buffer, int offset, int count)
    {
        int read = base.Read(buffer, offset, count);
        if (read == 0)
        {
            buffer.AsSpan(offset, count).Clear();
            read = count;
        }

        _read += read;
        return _read <= Most ? read : throw new InvalidOperationException("More than a gibibyte was read of a stream without end.");
    }
}
