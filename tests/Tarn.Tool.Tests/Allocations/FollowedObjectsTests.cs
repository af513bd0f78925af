using Tarn.Traces;

namespace Tarn.Tool.Tests.Allocations;

/// <summary>Objects that are followed through collections, as the runtime tells of them.</summary>
public class FollowedObjectsTests
{
    private const int Large = 3;
    private const int Pinned = 4;
    private const ulong Region = 0x10_0000;

    private readonly FollowedObjects _objects = new();
    private int _number;

    [Fact]
    public void An_object_is_dead_where_its_generation_is_collected_and_nothing_tells_that_it_survived()
    {
        Allocate(Region + 0x10, Region + 0x20, (2 * Region) + 0x10);

        Collect(0, [(0, Region), (1, 2 * Region)], [(Region + 0x20, Region + 0x20, 0x10)]);

        AssertFates(ObjectFate.Dead, ObjectFate.InUse, ObjectFate.Unexamined);
    }

    [Fact]
    public void An_object_that_moves_is_looked_for_where_it_moved_to()
    {
        Allocate(Region + 0x10, Region + 0x40);
        Collect(0, [(0, Region)], [(Region + 0x10, 2 * Region, 0x40)]);
        Assert.Equal([ObjectFate.InUse, ObjectFate.InUse], _objects.Fates);

        Collect(1, [(0, Region), (1, 2 * Region)], [((2 * Region) + 0x30, 3 * Region, 0x10)]);
        AssertFates(ObjectFate.Dead, ObjectFate.InUse);

        Collect(2, [(0, Region), (2, 3 * Region)], [(3 * Region, 3 * Region, 0x10)]);
        AssertFates(ObjectFate.Dead, ObjectFate.InUse);
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(1, false)]
    [InlineData(2, true)]
    public void Only_a_full_collection_looks_at_large_and_pinned_objects(int generation, bool isExamined)
    {
        Allocate(Region, 2 * Region);

        Collect(generation, [(Large, Region), (Pinned, 2 * Region)], []);

        ObjectFate expected = isExamined ? ObjectFate.Dead : ObjectFate.Unexamined;
        AssertFates(expected, expected);
    }

    [Fact]
    public void The_place_of_a_dead_object_is_anothers_afterwards()
    {
        Allocate(Region);
        Collect(0, [(0, Region)], []);
        Allocate(Region);

        Collect(0, [(0, Region)], [(Region, Region, 0x10)]);

        AssertFates(ObjectFate.Dead, ObjectFate.InUse);
    }

    [Fact]
    public void A_demoted_object_is_looked_at_with_the_young_ones()
    {
        Allocate(Region);
        Collect(0, [(0, Region)], [(Region, Region, 0x10)]);
        Collect(1, [(1, Region)], [(Region, Region, 0x10)]);

        // Pinned, and so in a region of generation 0 again.
        Collect(0, [(0, Region)], []);

        AssertFates(ObjectFate.Dead);
    }

    [Fact]
    public void A_collection_in_the_background_looks_at_what_was_old_when_it_began()
    {
        (ulong dead, ulong old, ulong young) = (Region, Region + 0x10, 2 * Region);
        Allocate(dead, old, young, (3 * Region) + 0x20);
        Start(2, isInBackground: true, (2, Region), (0, 2 * Region), (Large, 3 * Region));
        int background = _number;

        // Allocated and promoted meanwhile, into what was generation 2; a young collection frees the place of none of the old ones.
        Allocate(3 * Region);
        Collect(1, [(2, Region), (0, 2 * Region), (Large, 3 * Region)], [(young, Region + 0x100, 0x10)]);
        _objects.AddSurvivors(old, old, 0x10);
        _objects.AddSurvivors((3 * Region) + 0x20, (3 * Region) + 0x20, 0x10);
        _objects.End(background);

        AssertFates(ObjectFate.Dead, ObjectFate.InUse, ObjectFate.InUse, ObjectFate.InUse, ObjectFate.Unexamined);
    }

    [Fact]
    public void A_collection_in_the_background_that_does_not_walk_the_heap_tells_nothing()
    {
        Allocate(Region);
        Start(2, isInBackground: true, (2, Region));

        _objects.End(_number);

        AssertFates(ObjectFate.Unexamined);
    }

    [Fact]
    public void What_began_before_and_what_has_not_ended_tells_nothing()
    {
        _objects.AddSurvivors(Region, Region, 0x10);
        _objects.End(7);
        Allocate(Region);
        Start(2, isInBackground: false, (2, Region));

        AssertFates(ObjectFate.Unexamined);
    }

    [Fact]
    public void Ranges_of_several_heaps_come_in_any_order()
    {
        ulong[] all = [.. Enumerable.Range(0, 1_000).Select(index => Region + ((ulong)index * 0x20))];
        Allocate(all);

        Collect(
            0, [(0, Region)],
            [.. all.Where((_, index) => index % 3 == 0).OrderBy(address => address % 0x7F).Select(address => (address, address, 0x18UL))]);

        Assert.All(_objects.Fates.Index(), one => Assert.Equal(one.Index % 3 == 0 ? ObjectFate.InUse : ObjectFate.Dead, one.Item));
    }

    private void Allocate(params ulong[] addresses) => Array.ForEach(addresses, _objects.Add);

    private void Start(int generation, bool isInBackground, params (int Generation, ulong Start)[] regions)
    {
        _objects.Start(++_number, generation, isInBackground);
        foreach ((int one, ulong start) in regions)
        {
            _objects.AddGeneration(one, start, Region);
        }
    }

    private void Collect(int generation, (int Generation, ulong Start)[] regions, (ulong From, ulong To, ulong Length)[] survivors)
    {
        Start(generation, isInBackground: false, regions);
        int number = _number;
        foreach ((ulong from, ulong to, ulong length) in survivors)
        {
            _objects.AddSurvivors(from, to, length);
        }

        _objects.End(number);
    }

    private void AssertFates(params ObjectFate[] expected) => Assert.Equal(expected, _objects.Fates);
}
