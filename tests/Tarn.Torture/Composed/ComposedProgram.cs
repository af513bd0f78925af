using System.Collections.Concurrent;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed;

/// <summary>
/// A random program over every kind of owner in every company with every ending, beside its models. One thread makes the steps; what is
/// asynchronous waits beside it, and the models say for what. A failure is made again with less, until nothing can be left out.
/// </summary>
/// <param name="Seed">The company and the steps come of it.</param>
/// <param name="Settings">The company.</param>
/// <param name="Steps">The steps.</param>
internal sealed record ComposedProgram(int Seed, CompanySettings Settings, IReadOnlyList<Step> Steps)
{
    /// <summary>How long a program may take to make a step. Far more than any needs.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);

    private static readonly ConcurrentQueue<Company> s_failed = new();

    internal static ComposedProgram Generate(int seed, int steps)
    {
        Random random = new(seed);
        CompanySettings settings = CompanySettings.Choose(random);
        List<Step> all = [];
        int owners = 0;
        for (int i = 0; i < steps; i++)
        {
            all.Add(Choose(random, ref owners));
        }

        return new ComposedProgram(seed, settings, all);
    }

    /// <summary>Runs it. A failure is shrunk, and thrown with its seed and its steps.</summary>
    /// <exception cref="FindingException">The models and the library disagree, or something waits for ever.</exception>
    internal void Run()
    {
        if (Try(s_patience) is { } failure)
        {
            throw new Shrinking(failure).Run().ToException();
        }
    }

    /// <summary>Runs it on a thread of its own, so that a call that hangs is a failure as well.</summary>
    internal ComposedFailure? Try(TimeSpan patience)
    {
        Exception? thrown = null;
        Company company = new(Settings, patience / 2);
        int made = 0;
        Thread thread = new(() =>
        {
            try
            {
                Make(company, ref made);
            }
#pragma warning disable CA1031 // whatever it is, it is a failure
            catch (Exception e)
#pragma warning restore CA1031
            {
                thrown = e;
            }
        })
        { IsBackground = true };
        thread.Start();
        for (int before = -1; !thread.Join(patience); before = Volatile.Read(ref made))
        {
            if (before == Volatile.Read(ref made))
            {
                thrown = new FindingException("A call hangs: the last one.");
                break;
            }
        }

        if (thrown is null)
        {
            return null;
        }

        // What it still owns stays alive: in the finalizers of a program that failed, the fault would end the process.
        s_failed.Enqueue(company);
        return new ComposedFailure(this, thrown, [.. company.Lines]);
    }

    private void Make(Company company, ref int made)
    {
        foreach (Step step in Steps)
        {
            company.Make(step);
            company.Settle();
            Volatile.Write(ref made, made + 1);
        }

        company.EndAll();
    }

    private static Step Choose(Random random, ref int owners)
    {
        int owner = owners == 0 ? 0 : Math.Max(0, owners - 1 - (random.Next(6) * random.Next(3)));
        int number = random.Next(10) switch
        {
            < 5 => random.Next(1, 300),
            < 8 => random.Next(1, 5_000),
            8 => 1 << random.Next(16),
            _ => random.Next(40_000),
        };
        int choice = random.Next(1 << 16);
        int other = random.Next(3) == 0 ? owners + 1_000 : Math.Max(0, owners - 1 - random.Next(6));
        return random.Next(100) switch
        {
            < 24 => new Step(Act.Create, owners++, choice, number, random.Next(1 << 16)),
            < 76 => new Step(Act.Call, owner, choice, number, other),
            < 92 => new Step(Act.End, owner, choice, number, other),
            < 96 => new Step(Act.Cancel, owner, choice, number, other),
            < 98 => new Step(Act.EndRequest, owner, choice, number, other),
            _ => new Step(Act.Trim, owner, choice, number, other),
        };
    }
}
