using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Tests.Sharing;

/// <summary>
/// Values of several words, as a thread reads them from a field that another thread assigns: in every mixture of two values. None gives
/// memory outside a buffer.
/// </summary>
public sealed class TornValueTests
{
    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "torn" });

    [Fact]
    public void A_slice_gives_memory_of_a_buffer_or_throws()
    {
        using CountedBuffer<byte> little = CountedBuffer<byte>.Rent(_pool, 100);
        using CountedBuffer<byte> large = CountedBuffer<byte>.Rent(_pool, 100_000);
        using CountedSlice<byte> first = little.Slice(1, 10);
        using CountedSlice<byte> second = large.Slice(50_000, 40_000);
        int refused = 0;
        foreach (CountedSlice<byte> torn in Mixtures(first, second))
        {
            refused += Verify(() => torn.Span, [little.Memory, large.Memory]);
            refused += Verify(() => torn.Memory.Span, [little.Memory, large.Memory]);
            CountedBuffer<byte> buffer = Unsafe.As<CountedSlice<byte>, CountedBuffer<byte>>(ref Unsafe.AsRef(in torn));
            refused += Verify(() => buffer.Span, [little.Memory, large.Memory]);
        }

        Assert.NotEqual(0, refused);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_reservation_gives_memory_of_its_writer_or_throws(bool native)
    {
        using NativeHeap heap = new();
        using PooledWriter<byte> little = native ? new PooledWriter<byte>(heap) : new PooledWriter<byte>(_pool);
        using PooledWriter<byte> large = native ? new PooledWriter<byte>(heap) : new PooledWriter<byte>(_pool);
        WriterReservation<byte> first = little.Reserve(10);
        large.Reserve(60_000);
        WriterReservation<byte> second = large.Reserve(40_000);
        little.GetSpan();
        int refused = 0;
        foreach (WriterReservation<byte> torn in Mixtures(first, second))
        {
            refused += Verify(() => torn.Span, [Whole(little), Whole(large)]);
        }

        Assert.NotEqual(0, refused);

        static Memory<byte> Whole(PooledWriter<byte> writer)
        {
            Memory<byte> written = MemoryMarshal.AsMemory(writer.WrittenMemory);
            return MemoryMarshal.TryGetArray(written, out ArraySegment<byte> segment) ? segment.Array
                : MemoryMarshal.TryGetMemoryManager<byte, MemoryManager<byte>>(written, out MemoryManager<byte>? buffer) ? buffer!.Memory
                : default;
        }
    }

    private delegate ReadOnlySpan<byte> Read();

    /// <summary>Returns 1 if the read was refused, 0 if it gave a part of one of the buffers, and fails otherwise.</summary>
    private static int Verify(Read read, Memory<byte>[] buffers)
    {
        ReadOnlySpan<byte> given;
        try
        {
            given = read();
        }
        catch (Exception e) when (e is InvalidOperationException or ArgumentOutOfRangeException)
        {
            return 1;
        }

        bool isInside = given.IsEmpty;
        foreach (Memory<byte> buffer in buffers)
        {
            Span<byte> whole = MemoryMarshal.TryGetArray((ReadOnlyMemory<byte>)buffer, out ArraySegment<byte> segment)
                ? segment.Array
                : buffer.Span;
            long offset = Unsafe.ByteOffset(ref MemoryMarshal.GetReference(whole), ref MemoryMarshal.GetReference(given));
            isInside |= offset >= 0 && offset + given.Length <= whole.Length;
        }

        Assert.True(isInside, $"{given.Length} bytes are outside the buffers.");
        return 0;
    }

    /// <summary>Every mixture of two values, in words of four bytes, but for references, which no assignment tears.</summary>
    private static List<TValue> Mixtures<TValue>(TValue first, TValue second)
        where TValue : struct
    {
        // The runtime lays a struct's reference out first.
        int words = (Unsafe.SizeOf<TValue>() / sizeof(int)) - 2;
        List<TValue> mixtures = [];
        for (int mask = 0; mask < 2 << words; mask++)
        {
            TValue mixed = (mask >> words) == 0 ? first : second;
            for (int word = 0; word < words; word++)
            {
                ref TValue source = ref ((mask >> word) & 1) == 0 ? ref first : ref second;
                At(ref mixed, 2 + word) = At(ref source, 2 + word);
            }

            mixtures.Add(mixed);
        }

        return mixtures;
    }

    private static ref int At<TValue>(ref TValue value, int word)
        where TValue : struct => ref Unsafe.Add(ref Unsafe.As<TValue, int>(ref value), word);
}
