namespace Tarn.Tests.Caching;

/// <summary>The rule by which a thread's room of a class grows, in pools and heaps.</summary>
public sealed class ClassRoomTests
{
    private static readonly ClassRoom s_room = new(First: 3, Guaranteed: 3, BothWays: 16, OneWay: 40);

    [Theory]
    [InlineData(false, new[] { 3, 6, 12, 16, 16 })]
    [InlineData(true, new[] { 3, 6, 12, 24, 40, 40 })]
    public void Room_begins_with_the_first_and_doubles_up_to_the_most(bool isOneWay, int[] expected)
    {
        int room = 0;
        foreach (int next in expected)
        {
            room = s_room.After(room, isOneWay);
            Assert.Equal(next, room);
        }
    }

    [Fact]
    public void A_thread_that_begins_to_go_both_ways_keeps_its_room()
    {
        Assert.Equal(40, s_room.After(40, isOneWay: false));
        Assert.Equal(2, new ClassRoom(First: 1, Guaranteed: 0, BothWays: 16, OneWay: 1).After(2, isOneWay: true));
    }

    [Fact]
    public void Two_calls_in_a_row_that_go_the_same_way_show_a_thread_which_goes_one_way()
    {
        ClassFlow flow = default;
        Assert.False(flow.NoteMiss());
        Assert.True(flow.NoteMiss());
        Assert.True(flow.NoteMiss());
        Assert.False(flow.NoteOverflow());
        Assert.True(flow.NoteOverflow());
        Assert.True(flow.NoteOverflow());
        Assert.False(flow.NoteMiss());
        Assert.False(flow.NoteOverflow());
        Assert.False(flow.NoteMiss());
        Assert.True(flow.NoteMiss());
    }
}
