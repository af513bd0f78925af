using System.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

/// <summary>
/// The pool's promises for any program: the most it keeps, and how little it allocates. Each test runs many random programs; a failure
/// reports the seed.
/// </summary>
public sealed class LoadProgramTests
{
    private const int Rents = 500;

    /// <summary>The number of checks of the misses before they count.</summary>
    private const int Windows = 6;

    /// <summary>
    /// The share of the rented bytes that is allocated once the pool knows the load, where the cap is four times the load's need.
    /// </summary>
    private const double MissesAllowed = 0.01;

    /// <summary>Threads fill their room in each class little by little. This share of the rented bytes may be kept in addition.</summary>
    private const double GrowthAllowed = 0.1;

    /// <summary>The same programs in every build, however long they take; TARN_STRESS_SECONDS asks for others, for that long.</summary>
    private static readonly int s_programsByDefault = StressLength.Times(2, 25);

    /// <summary>
    /// The factor by which misses under a small cap may exceed those of a pool that keeps a random part of the needed buffers.
    /// </summary>
    private const double MissesBeyondProportion = 0.2;

    [Fact]
    public void The_bytes_in_use_bound_the_bytes_retained() => RunMany(static random =>
    {
        using LoadProgram program = new(random, random.Next(1, 9), cap: 1L << 32);
        for (int phase = random.Next(1, 4); phase > 0; phase--)
        {
            LoadShape load = program.DrawShape(DrawLogUniform(random, 4 << 10, 2 << 20));
            program.Run(load, Rents);
            AssertBound(program, load);
            switch (random.Next(5))
            {
                case 0:
                    program.ReplaceOne();
                    break;
                case 1:
                    program.ReplaceOne();
                    program.Tick();
                    break;
                case 2:
                    program.ReturnAll();
                    AssertBound(program, load);
                    break;
                case 3:
                    program.Advance(LoadProgram.IdleTimeout * 2);
                    program.Tick();
                    Assert.Equal(0, program.RetainedBytes);
                    program.Model.BeginAnew();
                    break;
                default:
                    break;
            }
        }

        program.Validate();
    });

    [Fact]
    public void With_four_times_the_needed_bytes_almost_nothing_is_allocated() => RunMany(static random =>
    {
        long cap = DrawLogUniform(random, 1 << 20, 1 << 29);
        using LoadProgram program = new(random, random.Next(1, 9), cap);
        LoadShape load = program.DrawShape(DrawLongestOf(random, cap / 4));
        program.Run(load, Rents);
        AssertMisses(program, load);
        program.Validate();
    });

    [Fact]
    public void Under_a_smaller_cap_misses_grow_in_proportion() => RunMany(static random =>
    {
        int longest = DrawLogUniform(random, 16 << 10, 1 << 20);
        using LoadProgram program = new(random, random.Next(1, 9), cap: (long)(longest * (2 + (random.NextDouble() * 100))));
        LoadShape load = program.DrawShape(longest);
        program.Run(load, Rents);
        AssertMisses(program, load);
        program.Validate();
    });

    [Fact]
    public void After_any_load_a_pool_heals_within_one_idle_timeout() => RunMany(static random =>
    {
        long cap = DrawLogUniform(random, 1 << 20, 1 << 28);
        using LoadProgram program = new(random, random.Next(1, 9), cap);
        LoadShape before = program.DrawShape((int)Math.Min(DrawLongestOf(random, cap) * 10L, 1 << 20));
        program.Run(before, Rents);
        if (random.Next(2) == 0)
        {
            program.ReplaceOne();
        }

        if (random.Next(2) == 0)
        {
            program.ReturnAll();
        }

        program.Model.BeginAnew();
        LoadShape load = program.DrawShape(DrawLongestOf(random, cap / 4));
        program.Run(load, 2 * Rents, LoadProgram.IdleTimeout);
        AssertMisses(program, load);
        program.Validate();
    });

    private static void AssertBound(LoadProgram program, LoadShape load)
    {
        LoadModel model = program.Model;
        long retained = program.RetainedBytes;
        Assert.True(
            retained <= model.Bound,
            $"{retained:N0} bytes are retained by {program.Threads} threads, at most {model.Bound:N0} may be: {model.NeededBytes:N0} were "
            + $"needed ({model.PeakBytes:N0} in use at a time). Load: {load}.");
    }

    /// <summary>Verifies that the share of misses is, or soon becomes, small enough.</summary>
    private static void AssertMisses(LoadProgram program, LoadShape load)
    {
        LoadModel model = program.Model;
        double share = 0;
        double allowed = 0;
        double unfilled = program.Threads * LoadModel.ThreadAllowance;
        for (int window = 0; window < Windows; window++)
        {
            (long rented, long missed, long needed, long kept) =
                (model.RentedBytes, model.MissedBytes, model.NeededBytes, KeptBytes(program));
            program.Run(load, 2 * Rents);
            rented = model.RentedBytes - rented;

            // A new peak of buffers in use requires allocations, and threads finish filling their room at some point. While the previous
            // load has left more than this one may keep, its remains shrink and the threads' caches grow, and the sum shows neither. Then
            // all that threads may ever fill is the limit.
            double growth = program.RetainedBytes <= model.Bound
                ? Math.Clamp(KeptBytes(program) - kept, 0, GrowthAllowed * rented)
                : Math.Min(unfilled, GrowthAllowed * rented);
            unfilled -= growth;
            share = (model.MissedBytes - missed - Math.Max(growth, model.NeededBytes - needed)) / rented;
            needed = model.NeededBytes;
            allowed = 4 * needed <= program.Cap
                ? MissesAllowed
                : Math.Max(0, 1 - ((double)program.Cap / needed)) + MissesBeyondProportion;
            if (share <= allowed)
            {
                return;
            }
        }

        Assert.Fail(
            $"{share:P1} of the bytes rented are allocated, at most {allowed:P1} may be: the cap is {program.Cap:N0}, needed are "
            + $"{model.NeededBytes:N0} ({model.PeakBytes:N0} in use at a time), retained {program.RetainedBytes:N0}. Load: {load}.");
    }

    private static long KeptBytes(LoadProgram program) => program.RetainedBytes + program.Model.InUseBytes;

    /// <summary>The longest buffer of a load that hardly needs more than <paramref name="bytes"/>.</summary>
    private static int DrawLongestOf(Random random, long bytes)
    {
        // The lengths of all classes together are about seven times the longest; a few of each are out at a time.
        int most = (int)Math.Clamp(bytes / 50, 4 << 10, 2 << 20);
        return DrawLogUniform(random, Math.Max(2 << 10, most / 8), most);
    }

    private static int DrawLogUniform(Random random, int least, int most) =>
        (int)(least * Math.Pow((double)most / least, random.NextDouble()));

    private static void RunMany(Action<Random> program)
    {
        Stopwatch elapsed = Stopwatch.StartNew();
        int first = StressLength.IsAsked ? Random.Shared.Next() : 0;
        for (int i = 0; StressLength.IsAsked ? elapsed.Elapsed < StressLength.Duration : i < s_programsByDefault; i++)
        {
            int seed = unchecked(first + i);
            RandomProgram.Run(seed, () => program(new Random(seed)));
        }
    }
}
