namespace Tarn.Lab.Tests.Workloads;

/// <summary>A memory stream that records the calls on it.</summary>
internal sealed class RecordingStream(List<string> calls) : MemoryStream
{
    public override long Position
    {
        get => base.Position;
        set
        {
            calls.Add($"position {value}");
            base.Position = value;
        }
    }

    public override void Write(byte[] buffer, int offset, int count)
    {
        calls.Add($"write {count}");
        base.Write(buffer, offset, count);
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        calls.Add($"read {count}");
        return base.Read(buffer, offset, count);
    }

    public override void WriteByte(byte value)
    {
        calls.Add("write byte");
        base.WriteByte(value);
    }

    public override int ReadByte()
    {
        calls.Add("read byte");
        return base.ReadByte();
    }

    protected override void Dispose(bool disposing)
    {
        calls.Add($"dispose {Length}");
        base.Dispose(disposing);
    }
}
