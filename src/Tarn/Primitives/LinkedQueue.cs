namespace Tarn;

/// <summary>Objects in the order of their arrival, linked by fields of their own, so that no operation allocates or searches.</summary>
/// <remarks>An object is in one queue at a time. Not synchronized: the lock of the owner guards the queue and the objects' links.</remarks>
/// <typeparam name="T">The class of the objects.</typeparam>
/// <typeparam name="TLinks">Finds an object's links. A type parameter, so that the compiler sees which field it is.</typeparam>
internal struct LinkedQueue<T, TLinks>
    where T : class
    where TLinks : struct, ILinks<T>
{
    /// <summary>The object that came first; null when the queue is empty.</summary>
    internal T? First { get; private set; }

    /// <summary>The object that came last.</summary>
    internal T? Last { get; private set; }

    internal void Append(T item)
    {
        TLinks.Of(item) = new Links<T> { Previous = Last };
        if (Last is null)
        {
            First = item;
        }
        else
        {
            TLinks.Of(Last).Next = item;
        }

        Last = item;
    }

    /// <summary>Takes an object out that is in this queue.</summary>
    internal void Remove(T item)
    {
        Links<T> links = TLinks.Of(item);
        if (links.Previous is null)
        {
            First = links.Next;
        }
        else
        {
            TLinks.Of(links.Previous).Next = links.Next;
        }

        if (links.Next is null)
        {
            Last = links.Previous;
        }
        else
        {
            TLinks.Of(links.Next).Previous = links.Previous;
        }

        TLinks.Of(item) = default;
    }
}

/// <summary>The neighbors of an object in its <see cref="LinkedQueue{T, TLinks}"/>.</summary>
internal struct Links<T>
    where T : class
{
    internal T? Previous { get; set; }

    internal T? Next { get; set; }
}

/// <summary>Where objects of a class keep their <see cref="Links{T}"/>.</summary>
internal interface ILinks<T>
    where T : class
{
    static abstract ref Links<T> Of(T item);
}
