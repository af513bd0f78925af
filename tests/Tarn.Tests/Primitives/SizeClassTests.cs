using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.Primitives;

public sealed class SizeClassTests
{
    private const int EveryLengthUpTo = 1 << 20;

    public static TheoryData<int, double> ClassesAndSlack => new() { { 1, 0.5 }, { 2, 1.0 / 3 }, { 4, 0.2 } };

    private static IEnumerable<int> AllLengths() =>
        Enumerable.Range(1, EveryLengthUpTo).Concat(Lengths.AroundBoundaries(EveryLengthUpTo, SizeClass.MaxLength));

    [Theory]
    [MemberData(nameof(ClassesAndSlack))]
    public void Every_length_fits_its_class_with_no_more_slack_than_promised(int classesPerDoubling, double slack)
    {
        uint mask = SizeClass.QuarterMaskFor(classesPerDoubling);
        foreach (int length in AllLengths())
        {
            uint index = SizeClass.IndexOf(length, mask);
            int given = SizeClass.LengthOf(index, mask);
            if (index >= SizeClass.IndexCount || given < length || given - length > slack * given)
            {
                Assert.Fail($"{length} has class {index}, whose length is {given}: too short or more than {slack:P0} slack.");
            }
        }
    }

    [Theory]
    [MemberData(nameof(ClassesAndSlack))]
    public void Longer_requests_never_get_shorter_buffers(int classesPerDoubling, double slack)
    {
        _ = slack;
        uint mask = SizeClass.QuarterMaskFor(classesPerDoubling);
        int before = 0;
        foreach (int length in AllLengths())
        {
            int given = SizeClass.LengthOf(SizeClass.IndexOf(length, mask), mask);
            if (given < before)
            {
                Assert.Fail($"{length} gets {given}, a shorter request got {before}.");
            }

            before = given;
        }

        Assert.Equal(SizeClass.MaxLength, before);
    }

    [Theory]
    [MemberData(nameof(ClassesAndSlack))]
    public void A_class_s_own_length_has_that_class(int classesPerDoubling, double slack)
    {
        _ = slack;
        uint mask = SizeClass.QuarterMaskFor(classesPerDoubling);
        Dictionary<uint, int> lengths = [];
        foreach (int length in AllLengths())
        {
            uint index = SizeClass.IndexOf(length, mask);
            int given = SizeClass.LengthOf(index, mask);
            if (SizeClass.IndexOf(given, mask) != index)
            {
                Assert.Fail($"{length} has class {index} of length {given}, whose class is {SizeClass.IndexOf(given, mask)}.");
            }

            lengths[index] = given;
        }

        Assert.Equal(lengths.Count, lengths.Values.Distinct().Count());
    }

    [Theory]
    [MemberData(nameof(ClassesAndSlack))]
    public void Lengths_that_have_no_class_share_no_index_with_one_that_has(int classesPerDoubling, double slack)
    {
        _ = slack;
        uint mask = SizeClass.QuarterMaskFor(classesPerDoubling);
        HashSet<uint> used = [.. AllLengths().Select(length => SizeClass.IndexOf(length, mask))];
        int[] invalid =
        [
            0, -1, -2, -3, -5, -1000, -(1 << 29), -(1 << 30), -(1 << 30) - 1, int.MinValue, int.MinValue + 1,
            SizeClass.MaxLength + 1, SizeClass.MaxLength + 2, SizeClass.MaxLength + (1 << 28), int.MaxValue - 1, int.MaxValue,
        ];
        foreach (int length in invalid)
        {
            uint index = SizeClass.IndexOf(length, mask);
            Assert.True(index < SizeClass.IndexCount, $"{length} has index {index}.");
            Assert.DoesNotContain(index, used);
        }
    }

    [Fact]
    public void Four_to_a_doubling_are_the_documented_lengths()
    {
        uint mask = SizeClass.QuarterMaskFor(4);
        int[] first = [.. Enumerable.Range(1, 64).Select(length => SizeClass.LengthOf(SizeClass.IndexOf(length, mask), mask)).Distinct()];
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64], first);
    }

    [Fact]
    public void One_to_a_doubling_gives_the_lengths_of_the_bcl_s_pools()
    {
        BufferPool<byte> ours = BufferPool<byte>.Create(new BufferPoolOptions { SizeClassesPerDoubling = 1, Checks = BufferChecks.None });
        ArrayPool<byte> created = ArrayPool<byte>.Create(1 << 22, 4);
        foreach (int length in Lengths.UpTo(1 << 22))
        {
            byte[] mine = ours.Rent(length);
            byte[] shared = ArrayPool<byte>.Shared.Rent(length);
            byte[] theirs = created.Rent(length);
            if (mine.Length != shared.Length || mine.Length != theirs.Length)
            {
                Assert.Fail($"{length}: ours {mine.Length}, shared {shared.Length}, created {theirs.Length}.");
            }

            ours.Return(mine);
            ArrayPool<byte>.Shared.Return(shared);
            created.Return(theirs);
        }
    }
}
