using System.Runtime.Intrinsics.X86;
using Tarn.Tests.Support;

namespace Tarn.Tests.Copying;

/// <summary>Copies on several cores.</summary>
public sealed unsafe class ParallelCopyTests
{
    private const int Slice = 256 << 10;

    /// <summary>Around the size from which on several cores are used, and around the ends of slices.</summary>
    public static TheoryData<int> Sizes
    {
        get
        {
            TheoryData<int> sizes = [1, 4096];
            foreach (int size in (int[])[BufferCopy.LeastParallel, BufferCopy.LeastParallel + Slice, 32 * Slice])
            {
                for (int offset = -1; offset <= 1; offset++)
                {
                    sizes.Add(size + offset);
                }
            }

            return sizes;
        }
    }

    [Theory]
    [MemberData(nameof(Sizes))]
    public void Every_byte_arrives_and_nothing_around_is_touched(int size)
    {
        byte[] source = BufferCopyTests.Bytes(size);
        foreach (int degree in (int[])[0, 1, 2, 3, 100])
        {
            byte[] destination = new byte[size + 20];
            BufferCopy.CopyParallel(source, destination.AsSpan(7), degree);
            Assert.True(destination.AsSpan(7, size).SequenceEqual(source), $"Degree {degree}: other bytes.");
            Assert.False(
                destination.AsSpan(0, 7).ContainsAnyExcept((byte)0) || destination.AsSpan(7 + size).ContainsAnyExcept((byte)0),
                "More was written.");
            fixed (byte* from = source, to = destination)
            {
                destination.AsSpan().Clear();
                BufferCopy.CopyParallel(from, to + 13, (nuint)size, degree);
            }

            Assert.True(destination.AsSpan(13, size).SequenceEqual(source), $"Degree {degree}: other bytes by address.");
        }
    }

    /// <summary>More threads than this machine may have cores: the crew itself does not ask.</summary>
    [Theory]
    [InlineData(2, true)]
    [InlineData(2, false)]
    [InlineData(5, false)]
    [InlineData(9, true)]
    public void A_crew_of_any_number_copies_every_byte(int threads, bool isPartOfMore)
    {
        byte[] source = BufferCopyTests.Bytes((8 * Slice) + 5);
        byte[] destination = new byte[source.Length];
        fixed (byte* from = source, to = destination)
        {
            for (int round = 0; round < 20; round++)
            {
                destination.AsSpan().Clear();
                nint target = (nint)to;
                nint origin = (nint)from;
                nuint length = (nuint)source.Length;
                nuint whole = isPartOfMore && Avx.IsSupported ? StreamingStores.LeastBytes : length;
                Eventually.True(() => CopyCrew.TryCopy((byte*)origin, (byte*)target, length, whole, threads), "the crew is free");
                Assert.True(destination.AsSpan().SequenceEqual(source));
            }
        }
    }

    /// <summary>Helpers woken for an earlier copy may come late and find this one.</summary>
    [Fact]
    public void No_more_take_part_in_a_copy_than_it_asked_for()
    {
        byte[] source = BufferCopyTests.Bytes(3 * Slice);
        byte[] destination = new byte[source.Length];
        fixed (byte* from = source, to = destination)
        {
            nuint length = (nuint)source.Length;
            CopyJob alone = new(from, to, length, length, helpers: 0);
            alone.Help();
            Assert.False(destination.AsSpan().ContainsAnyExcept((byte)0));
            CopyJob helped = new(from, to, length, length, helpers: 1);
            helped.Help();
            Assert.True(destination.AsSpan().SequenceEqual(source));
            helped.TakePart();
            helped.WaitUntilDone();
        }
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 1)]
    [InlineData(1, 0)]
    [InlineData(0, 999)]
    [InlineData(999, 0)]
    public void Ranges_that_overlap_are_refused_and_untouched(int from, int to)
    {
        byte[] bytes = BufferCopyTests.Bytes(2000);
        Assert.Equal(
            "destination",
            Assert.Throws<ArgumentException>(() => BufferCopy.CopyParallel(bytes.AsSpan(from, 1000), bytes.AsSpan(to, 1000))).ParamName);
        Assert.Equal(BufferCopyTests.Bytes(2000), bytes);
    }

    /// <summary>
    /// Overlaps of one byte or all, on one core and on several: a copy whose result depends on the order is never begun in parallel.
    /// </summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(7)]
    [InlineData(200)]
    [InlineData(BufferCopy.LeastParallel - 1)]
    [InlineData(3 * Slice)]
    public void Every_overlap_is_refused_and_untouched(int length)
    {
        byte[] original = BufferCopyTests.Bytes(3 * length);
        byte[] bytes = [.. original];
        int[] distances = length <= 200
            ? [.. Enumerable.Range(0, length)]
            : [0, 1, 63, 64, 4096, Slice - 1, Slice, length - Slice, length / 2, length - 64, length - 1];
        foreach (int distance in distances.Where(distance => distance >= 0 && distance < length))
        {
            foreach (int to in (int[])[length - distance, length + distance])
            {
                foreach (int degree in (int[])[0, 1, 2])
                {
                    Assert.Throws<ArgumentException>(
                        "destination", () => BufferCopy.CopyParallel(bytes.AsSpan(length, length), bytes.AsSpan(to, length), degree));
                    Assert.Throws<ArgumentException>("destination", () =>
                    {
                        fixed (byte* address = bytes)
                        {
                            BufferCopy.CopyParallel(address + length, address + to, (nuint)length, degree);
                        }
                    });
                }
            }
        }

        Assert.True(bytes.AsSpan().SequenceEqual(original));
        BufferCopy.CopyParallel(bytes.AsSpan(length, length), bytes);
        BufferCopy.CopyParallel(bytes.AsSpan(length, length), bytes.AsSpan(2 * length));
        Assert.True(bytes.AsSpan(0, length).SequenceEqual(original.AsSpan(length, length)));
        Assert.True(bytes.AsSpan(2 * length).SequenceEqual(original.AsSpan(length, length)));
    }

    [Fact]
    public void Nothing_overlaps_nothing()
    {
        byte[] bytes = BufferCopyTests.Bytes(10);
        BufferCopy.CopyParallel(bytes.AsSpan(5, 0), bytes.AsSpan(5, 0));
        BufferCopy.CopyParallel(bytes.AsSpan(5, 0), bytes);
        Assert.Equal(BufferCopyTests.Bytes(10), bytes);
    }

    [Fact]
    public void Ranges_that_touch_do_not_overlap()
    {
        byte[] bytes = BufferCopyTests.Bytes(2000);
        BufferCopy.CopyParallel(bytes.AsSpan(0, 1000), bytes.AsSpan(1000));
        Assert.Equal(BufferCopyTests.Bytes(2000)[..1000], bytes[1000..]);
        BufferCopy.CopyParallel(BufferCopyTests.Bytes(2000).AsSpan(1000), bytes.AsSpan(0, 1000));
        Assert.Equal(BufferCopyTests.Bytes(2000)[1000..], bytes[..1000]);
    }

    [Fact]
    public void Negative_degrees_are_refused() => Assert.Equal(
        "maxDegreeOfParallelism",
        Assert.Throws<ArgumentOutOfRangeException>(() => BufferCopy.CopyParallel(new byte[1], new byte[1], -1)).ParamName);

    [Fact]
    public void Many_threads_at_once_copy_with_the_crew_or_alone()
    {
        byte[] source = BufferCopyTests.Bytes(BufferCopy.LeastParallel + (2 * Slice));
        Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 8 }, _ =>
        {
            byte[] destination = new byte[source.Length];
            for (int round = 0; round < 15; round++)
            {
                destination.AsSpan().Clear();
                BufferCopy.CopyParallel(source, destination);
                Assert.True(destination.AsSpan().SequenceEqual(source));
            }
        });
    }
}
