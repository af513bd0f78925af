using System.Numerics;

namespace Tarn.Tests.Primitives;

public sealed class BlockSizeTests
{
    private const nuint EverySizeUpTo = 4 << 20;

    /// <summary>The sizes of the KMalloc document, as far as one would write them down.</summary>
    private static readonly nuint[] s_first =
    [
        4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512,
        640, 768, 896, 1024, 1280, 1536, 1792, 2048, 2560, 3072, 3584, 4096, 5120, 6144, 7168, 8192,
    ];

    /// <summary>All that fit a class: every size up to 4 Mi, then those around every class boundary.</summary>
    private static IEnumerable<nuint> SizesWithClass()
    {
        for (nuint size = 1; size <= EverySizeUpTo; size++)
        {
            yield return size;
        }

        foreach (nuint size in AroundQuarters().Where(static size => size is > EverySizeUpTo and <= BlockSizes.LargestClassSize))
        {
            yield return size;
        }
    }

    /// <summary>Each quarter of a doubling there is in 64 bits, two below to two above, in order.</summary>
    private static IEnumerable<nuint> AroundQuarters()
    {
        for (int exponent = 4; exponent < 64; exponent++)
        {
            for (ulong quarter = 4; quarter < 8; quarter++)
            {
                ulong boundary = quarter << (exponent - 2);
                for (ulong size = boundary - 2; size <= boundary + 2; size++)
                {
                    yield return (nuint)size;
                }
            }
        }

        yield return nuint.MaxValue - 1;
        yield return nuint.MaxValue;
    }

    [Fact]
    public void The_classes_are_those_of_KMalloc_to_the_end()
    {
        Assert.Equal(s_first, Enumerable.Range(0, s_first.Length).Select(BlockSizes.SizeOf));
        List<nuint> all = [4, 8, 12];
        for (nuint doubling = 16; doubling < BlockSizes.LargestClassSize; doubling *= 2)
        {
            all.AddRange([doubling, doubling / 4 * 5, doubling / 4 * 6, doubling / 4 * 7]);
        }

        all.Add(BlockSizes.LargestClassSize);
        Assert.Equal(all, Enumerable.Range(0, BlockSizes.ClassCount).Select(BlockSizes.SizeOf));
        Assert.Equal((nuint)1 << 30, BlockSizes.LargestClassSize);
    }

    [Fact]
    public void Slabs_hold_the_classes_up_to_the_largest_that_is_said_to_lie_in_one()
    {
        Assert.Equal(BlockSizes.LargestSlabSize, BlockSizes.SizeOf(BlockSizes.SlabClassCount - 1));
        Assert.Equal((nuint)BlockSizes.SlabClassCount, BlockSizes.IndexOf(BlockSizes.LargestSlabSize + 1));
    }

    [Fact]
    public void Every_size_fits_its_class_and_not_the_one_before()
    {
        nuint before = 0;
        foreach (nuint size in SizesWithClass())
        {
            nuint index = BlockSizes.IndexOf(size);
            nuint given = BlockSizes.SizeOf((int)index);
            nuint smaller = index == 0 ? 0 : BlockSizes.SizeOf((int)index - 1);
            if (index >= BlockSizes.ClassCount || given < size || smaller >= size || index < before)
            {
                Assert.Fail($"{size} has class {index} of {given} bytes; the one before has {smaller}, a smaller size had {before}.");
            }

            before = index;
        }

        Assert.Equal((nuint)BlockSizes.ClassCount - 1, before);
    }

    [Fact]
    public void A_request_is_rounded_up_to_its_class_with_at_most_a_fifth_of_slack()
    {
        foreach (nuint size in SizesWithClass())
        {
            nuint given = BlockSizes.RoundUp(size);
            if (given != BlockSizes.SizeOf((int)BlockSizes.IndexOf(size)) || (size >= 17 && (given - size) * 5 > given))
            {
                Assert.Fail($"{size} is rounded up to {given}.");
            }
        }

        Assert.Equal((nuint)4, BlockSizes.RoundUp(0));
    }

    [Fact]
    public void Sizes_without_a_class_have_an_index_past_the_classes_and_below_the_table_s_end()
    {
        nuint[] without = [0, .. AroundQuarters().Where(static size => size > BlockSizes.LargestClassSize)];
        Assert.True(without.Length > 500);
        foreach (nuint size in without)
        {
            Assert.InRange(BlockSizes.IndexOf(size), (nuint)BlockSizes.ClassCount, (nuint)BlockSizes.IndexCount - 1);
        }
    }

    [Fact]
    public void Beyond_the_classes_sizes_are_rounded_up_to_huge_pages_and_to_0_where_that_wraps()
    {
        nuint last = nuint.MaxValue - BlockSizes.LargestAlignment + 1;
        nuint[] beyond =
            [.. AroundQuarters().Where(static size => size > BlockSizes.LargestClassSize), last - 1, last, last + 1, (nuint)1 << 63];
        foreach (nuint size in beyond)
        {
            BigInteger step = BlockSizes.LargestAlignment;
            BigInteger expected = (((BigInteger)size + step - 1) / step) * step;
            Assert.Equal(expected > nuint.MaxValue ? 0 : expected, BlockSizes.RoundUp(size));
        }
    }

    [Fact]
    public void Every_multiple_of_a_power_of_two_is_rounded_up_to_a_multiple_of_it()
    {
        foreach (nuint size in SizesWithClass().Concat(AroundQuarters()))
        {
            for (nuint power = 1; power <= BlockSizes.LargestAlignment; power *= 2)
            {
                nuint multiple = size & ~(power - 1);
                nuint given = BlockSizes.RoundUp(multiple);
                if (multiple != 0 && (given & (power - 1)) != 0)
                {
                    Assert.Fail($"{multiple} is a multiple of {power}, but the size it is rounded up to, {given}, is not.");
                }
            }
        }
    }

    [Fact]
    public void Alignment_is_the_largest_power_of_two_that_divides_the_size_up_to_a_huge_page()
    {
        foreach (nuint size in SizesWithClass())
        {
            nuint alignment = BlockSizes.AlignmentOf(size);
            if (!BitOperations.IsPow2(alignment) || size % alignment != 0 || (size % (alignment * 2) == 0 && alignment != 2 << 20))
            {
                Assert.Fail($"Blocks of {size} bytes are aligned to {alignment}.");
            }
        }
    }

    [Fact]
    public void Sizes_of_two_classes_have_different_entries_in_range()
    {
        Dictionary<nint, nuint> classes = [];
        IEnumerable<nuint> around = Enumerable.Range(0, BlockSizes.ClassCount)
            .SelectMany(static index => (nuint[])[BlockSizes.SizeOf(index), BlockSizes.SizeOf(index) + 1]);
        foreach (nuint size in around.Concat(Enumerable.Range(0, 1 << 16).Select(static size => (nuint)size)).Append(nuint.MaxValue))
        {
            nint entry = BlockSizes.EntryOf(size);
            Assert.InRange(entry, BlockSizes.FirstEntry, BlockSizes.IndexCount - 1);
            classes.TryAdd(entry, BlockSizes.IndexOf(size));
            Assert.Equal(classes[entry], BlockSizes.IndexOf(size));
        }
    }

    [Fact]
    public void Sizes_above_the_split_ones_have_the_entry_of_their_class()
    {
        for (nuint size = BlockSizes.LargestSplitSize + 1; size < 1 << 16; size++)
        {
            Assert.Equal(BlockSizes.EntryOf(BlockSizes.RoundUp(size)), BlockSizes.EntryOf(size));
        }
    }
}
