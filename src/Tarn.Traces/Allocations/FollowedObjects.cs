namespace Tarn.Traces;

/// <summary>
/// Follows sampled objects through collections to their ends. What is in a generation that is collected, and in none of the ranges of
/// which the runtime says that they survived or moved, is dead.
/// </summary>
/// <remarks>
/// <para>At the start of a collection, while the program stands still, the runtime lists the ranges of each generation. The objects in
/// those that it collects are examined: an ephemeral collection examines its own generations, a full one also the large and the pinned
/// objects. So it does not matter into which generation an object was promoted or demoted before.</para>
/// <para>A collection in the background examines generation 2, the large and the pinned objects that were there when it began. What comes
/// later counts as alive for it. Ephemeral collections run meanwhile, and neither move nor free what it examines. At its end it walks the
/// heap once while the program stands still, so the ranges that do not lie inside another collection are its own.</para>
/// <para>The calls are in the order of the events. Events of collections that had begun before are not taken.</para>
/// </remarks>
internal sealed class FollowedObjects
{
    private const int OldestGeneration = 2;

    private readonly List<ulong> _addresses = [];
    private readonly List<ObjectFate> _fates = [];

    /// <summary>The numbers of the objects that are not dead.</summary>
    private List<int> _living = [];
    private Collection? _blocking;
    private Collection? _background;
    private Collection? _beginning;

    /// <summary>What became of each object, in the order in which they were added.</summary>
    internal IReadOnlyList<ObjectFate> Fates => _fates;

    /// <summary>An object was allocated.</summary>
    internal void Add(ulong address)
    {
        Begin();
        _living.Add(_addresses.Count);
        _addresses.Add(address);
        _fates.Add(ObjectFate.Unexamined);
    }

    /// <summary>A collection starts.</summary>
    /// <param name="number">The number of the collection.</param>
    /// <param name="generation">The oldest generation that it collects.</param>
    /// <param name="isInBackground">Whether the program runs meanwhile.</param>
    internal void Start(int number, int generation, bool isInBackground)
    {
        Begin();
        _beginning = new Collection(number, generation, isInBackground);
        (_blocking, _background) = isInBackground ? (_blocking, _beginning) : (_beginning, _background);
    }

    /// <summary>The collection that just started lists a range of a generation; large objects are generation 3, pinned ones 4.</summary>
    internal void AddGeneration(int generation, ulong start, ulong length) =>
        _beginning?.Generations.Add(start, start + length, (ulong)generation);

    /// <summary>The objects of a range survived, and moved from one address to another, which may be the same.</summary>
    internal void AddSurvivors(ulong from, ulong to, ulong length)
    {
        Begin();
        (_blocking ?? _background)?.Survivors.Add(from, from + length, to - from);
    }

    /// <summary>A collection ends.</summary>
    internal void End(int number)
    {
        Begin();
        if (_blocking?.Number == number)
        {
            Judge(_blocking);
            _blocking = null;
        }
        else if (_background?.Number == number)
        {
            // One whose walk was not asked for when it began tells of no survivor.
            if (_background.Survivors.Count > 0)
            {
                Judge(_background);
            }

            _background = null;
        }
    }

    /// <summary>Once all ranges of generations are known, tells what the collection examines: the program has not gone on since.</summary>
    private void Begin()
    {
        if (_beginning is not { } collection)
        {
            return;
        }

        _beginning = null;
        foreach (int one in _living)
        {
            if (collection.Generations.TryFind(_addresses[one], out ulong generation) && collection.Examines((int)generation))
            {
                collection.Examined.Add(one);
            }
        }
    }

    private void Judge(Collection collection)
    {
        bool hasDead = false;
        foreach (int one in collection.Examined)
        {
            if (collection.Survivors.TryFind(_addresses[one], out ulong distance))
            {
                _addresses[one] += distance;
                _fates[one] = ObjectFate.InUse;
            }
            else
            {
                _fates[one] = ObjectFate.Dead;
                hasDead = true;
            }
        }

        if (hasDead)
        {
            _living = [.. _living.Where(one => _fates[one] != ObjectFate.Dead)];
        }
    }

    /// <summary>A collection that has started and not ended.</summary>
    private sealed class Collection(int number, int generation, bool isInBackground)
    {
        public int Number { get; } = number;

        public AddressRanges Generations { get; } = new();

        /// <summary>The value of a range is the distance that it moved.</summary>
        public AddressRanges Survivors { get; } = new();

        public List<int> Examined { get; } = [];

        public bool Examines(int one) => isInBackground ? one >= OldestGeneration
            : one <= generation || (generation >= OldestGeneration && one > OldestGeneration);
    }
}
