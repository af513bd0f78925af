namespace Tarn.Tests.Model;

/// <summary>The role of a thread in a load on a pool.</summary>
internal enum LoadRole
{
    /// <summary>Rents and leaves returning to others.</summary>
    Rents,

    /// <summary>Returns buffers that others rented.</summary>
    Returns,

    /// <summary>Rents a few and returns them itself.</summary>
    Loops,

    /// <summary>Rents for others and returns buffers that others rented.</summary>
    Both,
}

/// <summary>The order in which a load returns its buffers.</summary>
internal enum ReturnOrder
{
    OldestFirst,
    NewestFirst,
    Random,
}

/// <summary>One load of a random program: its renting and returning threads, its amount, and its lengths.</summary>
internal sealed class LoadShape
{
    private const int ShortestLength = 16;

    private readonly Lengths _lengths;
    private readonly int[] _few;

    /// <summary>A load whose longest buffer is <paramref name="longest"/> bytes.</summary>
    internal LoadShape(Random random, int threads, int longest)
    {
        Roles = [.. Enumerable.Range(0, threads).Select(_ => (LoadRole)random.Next(4))];
        if (!Roles.Any(static role => role is LoadRole.Returns or LoadRole.Both))
        {
            Roles[random.Next(threads)] = LoadRole.Both;
        }
        else if (!Roles.Any(static role => role != LoadRole.Returns))
        {
            Roles[random.Next(threads)] = LoadRole.Both;
        }

        MostOut = random.Next(1, 17);
        Burst = random.Next(1, 9);
        Order = (ReturnOrder)random.Next(3);
        _few = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => random.Next(ShortestLength, longest + 1))];
        _lengths = random.Next(3) switch
        {
            0 => Lengths.Uniform,
            1 => Lengths.LogUniform,
            _ => Lengths.Few,
        };
        Longest = longest;
    }

    internal LoadRole[] Roles { get; }

    /// <summary>Buffers that wait for another thread to return them, at most.</summary>
    internal int MostOut { get; }

    /// <summary>Buffers a thread rents in one turn, at most.</summary>
    internal int Burst { get; }

    internal ReturnOrder Order { get; }

    internal int Longest { get; }

    internal int DrawLength(Random random) => _lengths switch
    {
        Lengths.Uniform => random.Next(ShortestLength, Longest + 1),
        Lengths.LogUniform => (int)(ShortestLength * Math.Pow((double)Longest / ShortestLength, random.NextDouble())),
        _ => _few[random.Next(_few.Length)],
    };

    public override string ToString()
    {
        string lengths = _lengths == Lengths.Few ? string.Join(" or ", _few) : $"{_lengths} up to {Longest}";
        return $"threads {string.Join(", ", Roles)}; {MostOut} out, bursts of {Burst}, {Order}; lengths {lengths}";
    }

    private enum Lengths
    {
        Uniform,
        LogUniform,
        Few,
    }
}
