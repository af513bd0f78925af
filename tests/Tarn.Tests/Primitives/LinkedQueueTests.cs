namespace Tarn.Tests.Primitives;

/// <summary>Queues against a list, with the first, the last and any object between them taken out.</summary>
public sealed class LinkedQueueTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void It_holds_what_a_list_holds(int seed)
    {
        Random random = new(seed);
        List<Item> model = [];
        Stack<Item> outside = new(Enumerable.Range(0, 8).Select(static _ => new Item()));
        LinkedQueue<Item, Item.InQueue> queue = default;
        for (int step = 0; step < 2_000; step++)
        {
            if (model.Count == 0 || (outside.Count > 0 && random.Next(2) == 0))
            {
                Item added = outside.Pop();
                queue.Append(added);
                model.Add(added);
            }
            else
            {
                Item taken = model[random.Next(3) switch { 0 => 0, 1 => model.Count - 1, _ => random.Next(model.Count) }];
                queue.Remove(taken);
                Assert.True(model.Remove(taken));
                Assert.Equal(default, Item.InQueue.Of(taken));
                outside.Push(taken);
            }

            Assert.Equal(model, Forwards(queue.First));
            Assert.Equal(model, Backwards(queue.Last).Reverse());
        }
    }

    private static IEnumerable<Item> Forwards(Item? item)
    {
        for (; item is not null; item = Item.InQueue.Of(item).Next)
        {
            yield return item;
        }
    }

    private static IEnumerable<Item> Backwards(Item? item)
    {
        for (; item is not null; item = Item.InQueue.Of(item).Previous)
        {
            yield return item;
        }
    }

    private sealed class Item
    {
        private Links<Item> _links;

        internal readonly struct InQueue : ILinks<Item>
        {
            public static ref Links<Item> Of(Item item) => ref item._links;
        }
    }
}
