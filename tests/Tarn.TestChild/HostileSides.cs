using System.Diagnostics;

namespace Tarn.TestChild;

/// <summary>What several threads use while another one changes its shared words.</summary>
/// <param name="Object">What is disposed, perhaps during calls.</param>
/// <param name="Spoil">Changes one word.</param>
/// <param name="Call">
/// Makes a call: of a side, by chance, and without spans of the object where it may be disposed at the same time, because they must not be
/// used then.
/// </param>
internal sealed record HostileSubject(IDisposable Object, Action<Random> Spoil, Action<int, Random, bool> Call);

/// <summary>
/// Objects between guard pages whose header and contents another process would change to whatever it likes: before they are used, and
/// during calls. Arguments: "before" or "during", the seed, and how long in milliseconds.
/// </summary>
/// <remarks>As with <see cref="HostileRing"/>, what is not documented ends the process, and so does a call that hangs.</remarks>
internal static class HostileSides
{
    private const int Sides = 4;

    /// <summary>So many are enough that some calls are refused, also where the time is short.</summary>
    private const int LeastObjects = 50;

    internal static void Run(string[] arguments, Func<GuardedNames, Random, HostileSubject> create)
    {
        bool isDuring = arguments[0] == "during";
        Random random = new(int.Parse(arguments[1]));
        HostileRing.StartWatch();
        Stopwatch elapsed = Stopwatch.StartNew();
        for (int used = 0; used < LeastObjects || elapsed.ElapsedMilliseconds < int.Parse(arguments[2]); used++)
        {
            Use(create(new GuardedNames(isEndGuarded: random.Next(2) == 0), random), random, isDuring);
        }

        (long calls, long refused) = HostileRing.Counts;
        Console.WriteLine($"survived {calls} {refused}");
    }

    private static void Use(HostileSubject subject, Random random, bool isDuring)
    {
        using IDisposable one = subject.Object;
        if (random.Next(4) > 0)
        {
            subject.Spoil(random);
        }

        int seed = random.Next();
        bool isOver = false;
        Thread spoiler = new(() =>
        {
            Random other = new(seed);
            while (isDuring && !Volatile.Read(ref isOver))
            {
                subject.Spoil(other);
                Thread.SpinWait(other.Next(200));
            }
        });
        bool isDisposedMeanwhile = random.Next(4) == 0;
        Thread[] sides =
        [
            .. Enumerable.Range(1, Sides).Select(side => new Thread(() => HostileRing.Repeat(
                new Random(seed + side), 25, random => subject.Call(side, random, isDisposedMeanwhile)))),
        ];
        spoiler.Start();
        Array.ForEach(sides, static thread => thread.Start());
        if (isDisposedMeanwhile)
        {
            Thread.SpinWait(random.Next(5000));
            Volatile.Write(ref isOver, true);
            spoiler.Join();
            one.Dispose();
        }

        Array.ForEach(sides, static thread => thread.Join());
        Volatile.Write(ref isOver, true);
        spoiler.Join();
    }
}
