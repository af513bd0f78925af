using System.Buffers;

namespace Tarn.TestChild;

/// <summary>A member of streams, as a race calls it.</summary>
/// <param name="Name">Its name in findings.</param>
/// <param name="Call">Calls it, and nothing else that could throw for another reason.</param>
internal sealed record RacedMember(string Name, Action<RacedStream> Call)
{
    private const int Near = 70_000;

    /// <summary>The members of every stream.</summary>
    private static readonly RacedMember[] s_all =
    [
        new("Position", static raced => _ = raced.Stream.Position),
        new("Position = 0", static raced => raced.Stream.Position = 0),
        new("Position = far", static raced => raced.Stream.Position = raced.Stream.Position == Near ? 3 : Near),
        new("Length", static raced => { if (raced.Stream.Length == 0) { throw new InvalidOperationException("Length is 0."); } }),
        new("Seek", static raced => raced.Stream.Seek(-4, SeekOrigin.End)),
        new("Read span", static raced => Rewind(raced.Stream, raced.Stream.Read(raced.Bytes.AsSpan()))),
        new("Read much", static raced => Rewind(raced.Stream, raced.Stream.Read(raced.ManyBytes.AsSpan()))),
        new("Read array", static raced => Rewind(raced.Stream, raced.Stream.Read(raced.Bytes, 0, 70))),
        new("ReadByte", static raced => Rewind(raced.Stream, raced.Stream.ReadByte() + 1)),
        new("ReadAsync memory", static raced => Rewind(raced.Stream, raced.Stream.ReadAsync(raced.Bytes.AsMemory()).AsTask().Result())),
        new("ReadAsync array", static raced => Rewind(raced.Stream, raced.Stream.ReadAsync(raced.Bytes, 0, 90).Result())),
        new("CopyTo", static raced => { raced.Stream.Position = 0; raced.Stream.CopyTo(new MemoryStream()); }),
        new("CopyToAsync", static raced => { raced.Stream.Position = 0; raced.Stream.CopyToAsync(new MemoryStream()).Get(); }),
    ];

    /// <summary>The members of streams that can be written, besides.</summary>
    private static readonly RacedMember[] s_written =
    [
        new("Write span", static raced => { Limit(raced.Stream); raced.Stream.Write(raced.Bytes.AsSpan()); }),
        new("Write much", static raced => { Limit(raced.Stream); raced.Stream.Write(raced.ManyBytes.AsSpan()); }),
        new("Write array", static raced => { Limit(raced.Stream); raced.Stream.Write(raced.Bytes, 0, 50); }),
        new("WriteByte", static raced => { Limit(raced.Stream); raced.Stream.WriteByte(1); }),
        new("WriteAsync memory", static raced => { Limit(raced.Stream); raced.Stream.WriteAsync(raced.Bytes.AsMemory()).AsTask().Get(); }),
        new("WriteAsync array", static raced => { Limit(raced.Stream); raced.Stream.WriteAsync(raced.Bytes, 0, 10).Get(); }),
        new("Flush", static raced => raced.Stream.Flush()) { Outlives = true },
        new("CanRead", static raced => _ = raced.Stream.CanRead && raced.Stream.CanSeek && raced.Stream.CanWrite) { Outlives = true },
        new("Dispose", static raced => raced.Dispose()) { Outlives = true },
    ];

    /// <summary>Whether a disposed stream has this member too.</summary>
    internal bool Outlives { get; private init; }

    /// <summary>Whether the race begins with a stream that has no memory yet.</summary>
    internal bool BeginsEmpty { get; private init; }

    /// <summary>Whether the race uses a view of the stream.</summary>
    internal bool IsOfView { get; private init; }

    /// <summary>Whether the member hands out an array, which native streams do not have.</summary>
    internal bool IsOfArrays { get; private init; }

    /// <summary>The members of streams over native buffers.</summary>
    internal static RacedMember[] OfBufferStreams =>
    [
        .. s_all.Select(KeepPosition), .. s_written, new("SetLength", static raced => raced.Stream.SetLength(raced.Stream.Length)),
    ];

    /// <summary>The members of pooled streams and of their views.</summary>
    internal static RacedMember[] OfPooledStreams =>
    [
        .. s_all,
        .. s_written,
        .. s_all.Select(static member => KeepPosition(member) with { Name = $"a view's {member.Name}", IsOfView = true }),
        .. s_written.Take(6).Select(static member => member with { Name = $"first {member.Name}", BeginsEmpty = true }),
        new("SetLength less", static raced => { raced.Pooled.SetLength(200_000); raced.Pooled.SetLength(1000); }),
        new("SetLength more", static raced => { raced.Pooled.SetLength(0); raced.Pooled.SetLength(150_000); }),
        new("Capacity", static raced => _ = raced.Pooled.LongCapacity + raced.Pooled.Capacity),
        new("Capacity = less", static raced => { raced.Pooled.SetLength(0); raced.Pooled.LongCapacity = 0; raced.Pooled.Capacity = 5000; }),
        new("Write sequence", static raced => { Limit(raced.Pooled); raced.Pooled.Write(new ReadOnlySequence<byte>(raced.Bytes)); }),
        new("Write itself", static raced =>
        {
            raced.Pooled.SetLength(5000);
            raced.Pooled.Position = 0;
            raced.Pooled.WriteTo(raced.Pooled);
        }),
        new("GetSpan, Advance", static raced => { Limit(raced.Pooled); raced.Pooled.Advance(raced.Pooled.GetSpan(9).Length > 8 ? 9 : 0); }),
        new("GetSpan much", static raced => { Limit(raced.Pooled); raced.Pooled.Advance(raced.Pooled.GetSpan(5000).Length > 0 ? 1 : 0); }),
        new("GetMemory, Advance", static raced => { Limit(raced.Pooled); raced.Pooled.GetMemory(); raced.Pooled.Advance(1); }),
        new("GetSpan inside", static raced => { raced.Pooled.Position = 10; raced.Pooled.GetSpan(600); raced.Pooled.Advance(500); }),
        new("WriteTo", static raced => raced.Pooled.WriteTo(new MemoryStream())),
        new("CopyFrom", static raced => { Limit(raced.Pooled); raced.Pooled.CopyFrom(new MemoryStream(raced.Bytes)); }),
        new("CopyFromAsync", static raced =>
        {
            Limit(raced.Pooled);
            raced.Pooled.CopyFromAsync(new MemoryStream(raced.Bytes)).AsTask().Result();
        }),
        new("ToArray", static raced => raced.Pooled.ToArray()),
        new("GetString", static raced => raced.Pooled.GetString()),
        new("GetReadOnlySequence", static raced => raced.Pooled.GetReadOnlySequence()),
        new("GetBuffer", static raced => { raced.Pooled.GetBuffer(); Limit(raced.Pooled); raced.Pooled.Write(raced.ManyBytes); })
            { IsOfArrays = true },
        new("TryGetBuffer", static raced => raced.Pooled.TryGetBuffer(out _)) { Outlives = true },
        new("Detach", static raced => { raced.Pooled.Detach().Dispose(); raced.Pooled.Write(raced.Bytes); }),
        new("OpenRead", static raced => raced.Pooled.OpenRead()),
    ];

    /// <summary>Of a stream over memory of another object, which is disposed: its own position remains.</summary>
    private static RacedMember KeepPosition(RacedMember member) =>
        member with { Outlives = member.Outlives || member.Name.StartsWith("Position", StringComparison.Ordinal) };

    private static void Rewind(Stream stream, int read)
    {
        if (read == 0)
        {
            stream.Position = 0;
        }
    }

    /// <summary>Keeps a stream that is written for as long as a race lasts from growing.</summary>
    private static void Limit(Stream stream)
    {
        if (stream.Position > 150_000)
        {
            stream.Position = 0;
        }
    }
}
