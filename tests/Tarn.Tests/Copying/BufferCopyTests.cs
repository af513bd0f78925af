using System.Runtime.InteropServices;

namespace Tarn.Tests.Copying;

/// <summary>Copies on one core.</summary>
public sealed unsafe class BufferCopyTests
{
    private const int CacheLine = 64;

    /// <summary>
    /// Each way of copying long enough for three cache lines, from every place in one, to every place that touches the source.
    /// </summary>
    [Fact]
    public void Overlapping_ranges_are_copied_as_if_through_another()
    {
        const int Longest = 3 * CacheLine;
        const int Before = Longest + 1;
        const int Size = Before + CacheLine + (2 * Longest) + 1;
        byte[] original = Bytes(Size);
        byte[] expected = new byte[Size];
        byte* memory = (byte*)NativeMemory.AlignedAlloc(Size + CacheLine, CacheLine);

        // The source begins at every place in a cache line.
        Span<byte> bytes = new(memory + (-Before & (CacheLine - 1)), Size);
        byte* address = memory + (-Before & (CacheLine - 1));
        for (int length = 0; length <= Longest; length++)
        {
            for (int from = Before; from < Before + CacheLine; from++)
            {
                for (int to = from - length - 1; to <= from + length + 1; to++)
                {
                    original.CopyTo(expected, 0);
                    Array.Copy(original, from, expected, to, length);
                    original.CopyTo(bytes);
                    BufferCopy.Copy(bytes.Slice(from, length), bytes[to..]);
                    bool isRight = bytes.SequenceEqual(expected);
                    original.CopyTo(bytes);
                    BufferCopy.Copy(address + from, address + to, (nuint)length);
                    if (!isRight || !bytes.SequenceEqual(expected))
                    {
                        Assert.Fail($"{length} bytes from {from} to {to} are others.");
                    }
                }
            }
        }

        NativeMemory.AlignedFree(memory);
    }

    /// <summary>Lengths from which on the runtime copies in another way.</summary>
    [Theory]
    [InlineData(2048)]
    [InlineData(4099)]
    [InlineData((256 << 10) + 3)]
    [InlineData((1 << 20) + 7)]
    public void Long_overlapping_ranges_are_copied_as_if_through_another(int length)
    {
        byte[] original = Bytes(3 * length);
        byte[] expected = new byte[original.Length];
        byte[] bytes = new byte[original.Length];
        foreach (int distance in (int[])[1, 7, 8, 63, 64, 65, 4096, length / 2, length - 1, length, length + 1])
        {
            foreach (int to in (int[])[length - distance, length + distance])
            {
                if (to < 0 || to > 2 * length)
                {
                    continue;
                }

                original.CopyTo(expected, 0);
                Array.Copy(original, length, expected, to, length);
                original.CopyTo(bytes, 0);
                BufferCopy.Copy(bytes.AsSpan(length, length), bytes.AsSpan(to));
                Assert.True(bytes.AsSpan().SequenceEqual(expected), $"By {to - length}: other bytes.");
                original.CopyTo(bytes, 0);
                fixed (byte* address = bytes)
                {
                    BufferCopy.Copy(address + length, address + to, (nuint)length);
                }

                Assert.True(bytes.AsSpan().SequenceEqual(expected), $"By {to - length}, by address: other bytes.");
            }
        }
    }

    [Fact]
    public void A_destination_too_short_is_refused_and_untouched()
    {
        byte[] destination = Bytes(10);
        Assert.Equal("destination", Assert.Throws<ArgumentException>(() => BufferCopy.Copy(new byte[11], destination)).ParamName);
        Assert.Equal("destination", Assert.Throws<ArgumentException>(() => BufferCopy.CopyParallel(new byte[11], destination)).ParamName);
        Assert.True(destination.AsSpan().SequenceEqual(Bytes(10)));
        BufferCopy.Copy(new byte[9], destination);
        Assert.True(destination is [0, 0, 0, 0, 0, 0, 0, 0, 0, var last] && last == Bytes(10)[9]);
    }

    [Fact]
    public void Null_addresses_are_refused_unless_no_bytes_are_copied()
    {
        byte one = 1;
        byte* address = &one;
        BufferCopy.Copy(null, null, 0);
        BufferCopy.CopyParallel(null, null, 0);
        BufferCopy.Copy([], []);
        BufferCopy.CopyParallel([], []);
        Assert.Equal("source", Assert.Throws<ArgumentNullException>(() => BufferCopy.Copy(null, address, 1)).ParamName);
        Assert.Equal("destination", Assert.Throws<ArgumentNullException>(() => BufferCopy.Copy(address, null, 1)).ParamName);
        Assert.Equal("source", Assert.Throws<ArgumentNullException>(() => BufferCopy.CopyParallel(null, address, 1)).ParamName);
        Assert.Equal("destination", Assert.Throws<ArgumentNullException>(() => BufferCopy.CopyParallel(address, null, 1)).ParamName);
    }

    internal static byte[] Bytes(int count)
    {
        byte[] bytes = new byte[count];
        new Random(count).NextBytes(bytes);
        return bytes;
    }
}
