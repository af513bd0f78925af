using Tarn.SharedMemory;

namespace Tarn.Fuzz.Targets;

/// <summary>
/// Writes of another process into a ring's memory: an input overwrites it from the ring's header on, before and between the calls.
/// </summary>
internal sealed unsafe class RingTarget : IFuzzTarget
{
    private const string RingName = "fuzzed";
    private const int Capacity = 256;

    private readonly FuzzDirectory _directory = new();

    public string Name => "ring";

    public long MostBytes => 1 << 20;

    public IEnumerable<byte[]> Seeds
    {
        get
        {
            using SharedRing ring = SharedRing.Create(_directory.Names, RingName, Capacity);
            byte[] empty = BytesOf(ring);
            ring.Write("a message"u8);
            ring.Write("another"u8);
            byte[] two = BytesOf(ring);
            return [Input(empty), Input(two), []];
        }
    }

    public void Run(byte[] input)
    {
        using SharedRing ring = SharedRing.Create(_directory.Names, RingName, Capacity);
        byte[] buffer = new byte[ring.MaxMessageLength];
        foreach (byte[] part in input.Chunk(Math.Max(1, (input.Length + 3) / 4)))
        {
            Overwrite(ring, part);
            Try(() => ring.TryRead(buffer, out _));
            Try(() => ring.TryWrite("from here"u8));
            Try(() => ReadAhead(ring));
            Try(() => Touch(ring));
            Try(() => _ = ring.TryRead([], out _));
            _ = (ring.ReaderProcessId, ring.WriterProcessId);
        }
    }

    public bool IsDocumented(Exception exception) =>
        exception is InvalidDataException or InvalidOperationException and not ObjectDisposedException or ArgumentException;

    public void Dispose() => _directory.Dispose();

    /// <summary>A part is a list of writes: an offset in 8 bytes and the bytes to write.</summary>
    private static byte[] Input(byte[] memory) =>
        [
            .. Enumerable.Range(0, memory.Length / 8)
                .SelectMany(word => (byte[])[(byte)word, (byte)(word >> 8), .. memory.AsSpan(word * 8, 8)]),
        ];

    private static byte[] BytesOf(SharedRing ring) => new ReadOnlySpan<byte>(ring.Header, RingHeader.Length + 64).ToArray();

    private static void Overwrite(SharedRing ring, byte[] part)
    {
        int words = (int)(RingHeader.RegionSize(Capacity) / 8);
        for (int at = 0; at + 10 <= part.Length; at += 10)
        {
            int word = BitConverter.ToUInt16(part, at) % words;
            ((ulong*)ring.Header)[word] = BitConverter.ToUInt64(part, at + 2);
        }
    }

    private static void Touch(SharedRing ring)
    {
        if (ring.TryBeginRead(out SharedMessage message))
        {
            Touch(message.Span);
            message.Pass();
        }
    }

    private static void ReadAhead(SharedRing ring)
    {
        long position = ring.ReadPosition;
        long first = position;
        while (ring.TryReadAhead(ref position, out ReadOnlySpan<byte> message))
        {
            Touch(message);
        }

        ring.AdvanceTo(first);
    }

    private static void Touch(ReadOnlySpan<byte> message)
    {
        byte sum = 0;
        foreach (byte one in message)
        {
            sum += one;
        }

        GC.KeepAlive(sum);
    }

    private void Try(Action call)
    {
        try
        {
            call();
        }
        catch (Exception exception) when (IsDocumented(exception))
        {
            // A call was refused; the next is made on the same ring.
        }
    }
}
