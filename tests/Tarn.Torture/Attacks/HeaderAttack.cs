using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using Tarn.SharedMemory;
using Tarn.TestChild;
using Tarn.Torture.Children;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Headers of rings and regions, and the lengths of records, are overwritten at random while both sides work. A call may give wrong
/// messages and documented exceptions. It may not hang, reach outside of the memory, or end the process. Rings are spoiled by a thread of
/// the same process, and by another process that maps the same file. Owners of all kinds are disposed over spoiled memory, beside each of
/// their members: no disposal throws or hangs, and nothing remains.
/// </summary>
internal sealed class HeaderAttack : IAttack
{
    private const int Threads = 3;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(2);

    /// <summary>Where the fields of <see cref="RegionHeader"/> begin.</summary>
    private static readonly int[] s_fields = [0, 8, 12, 16, 24, 32, 36, 40, 48, 56, 64, 72];

    private static readonly long[] s_values = [0, 1, 2, 4095, 4096, 1L << 31, 1L << 32, long.MaxValue, long.MinValue, -1];

    /// <inheritdoc/>
    public string Name => "headers";

    /// <inheritdoc/>
    public string Description => "headers of rings and regions overwritten while both sides work; a deadline on every call";

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        do
        {
            ScribbleOverRings(context);
            ScribbleFromOutside(context);
            ScribbleOverRegions(context);
            DisposeSpoiled(context);
        }
        while (!context.IsOver);
    }

    /// <summary>In a process of its own, between guard pages: an access outside ends it.</summary>
    private static void ScribbleOverRings(AttackContext context)
    {
        string when = context.Random.Next(3) == 0 ? "before" : "during";
        int milliseconds = (int)context.Part(2).TotalMilliseconds;
        string[] arguments = ["hostile ring", when, $"{context.Random.Next()}", $"{milliseconds}"];
        using Process process = Start(arguments);
        (int exitCode, string output, string error) = ChildProgram.WaitForEnd(process, s_limit);
        string[] words = output.Split();
        Require.That(
            exitCode == 0 && words is ["survived", _, _, ..],
            $"Tarn.TestChild \"{string.Join("\" \"", arguments)}\" ended with {exitCode}: {output}{error}");
        context.Count("calls on spoiled rings", long.Parse(words[1], CultureInfo.InvariantCulture));
        context.Count("of them refused", long.Parse(words[2], CultureInfo.InvariantCulture));
    }

    /// <summary>Two processes have the sides of rings, and a third overwrites the memory that it shares with them.</summary>
    private static void ScribbleFromOutside(AttackContext context)
    {
        string prefix = string.Create(CultureInfo.InvariantCulture, $"torture-{Environment.ProcessId}-{context.Random.Next()}");
        string milliseconds = $"{(int)context.Part(2).TotalMilliseconds}";
        try
        {
            using Process scribbler = Start(["ring scribbler", prefix, $"{context.Random.Next()}"]);
            using Process writer = Start(["spoiled rings", prefix, "writer", $"{context.Random.Next()}", milliseconds]);
            using Process reader = Start(["spoiled rings", prefix, "reader", $"{context.Random.Next()}", milliseconds]);
            CountSide(context, writer, "writer");
            CountSide(context, reader, "reader");
            scribbler.StandardInput.Close();
            (int exitCode, string output, string error) = ChildProgram.WaitForEnd(scribbler, s_limit);
            Require.That(
                exitCode == 0 && output.Split() is ["ready", _, ..], $"The scribbler over {prefix} ended with {exitCode}: {output}{error}");
            context.Count("scribbles by another process", long.Parse(output.Split()[1], CultureInfo.InvariantCulture));
        }
        finally
        {
            foreach (string file in Directory.GetFiles(NamedMemory.Current.Directory, RegionNames.Prefix + prefix + "*"))
            {
                File.Delete(file);
            }
        }
    }

    private static void DisposeSpoiled(AttackContext context)
    {
        string kind = RacedSharingMember.Kinds[context.Random.Next(RacedSharingMember.Kinds.Length)];
        string milliseconds = $"{(int)(context.Part(2).TotalMilliseconds / RacedSharingMember.Of(kind).Length)}";
        using Process process = Start(["sharing races", kind, milliseconds, $"{context.Random.Next()}"]);
        (int exitCode, string output, string error) = ChildProgram.WaitForEnd(process, s_limit);
        Require.That(
            exitCode == 0 && !output.Contains(SharingRaces.Violation, StringComparison.Ordinal),
            $"Disposals of spoiled memory ({kind}) ended with {exitCode}: {output}{error}");
        context.Count("disposals over spoiled memory", long.Parse(output.Split()[^2], CultureInfo.InvariantCulture));
    }

    private static Process Start(string[] arguments) => ChildProgram.Start("Tarn.TestChild.dll", arguments);

    private static void CountSide(AttackContext context, Process side, string role)
    {
        (int exitCode, string output, string error) = ChildProgram.WaitForEnd(side, s_limit);
        string[] words = output.Split();
        Require.That(
            exitCode == 0 && words is ["survived", _, _, _, _, ..],
            $"The {role} of rings that another process spoils ended with {exitCode}: {output}{error}");
        context.Count("calls on rings that another process spoils", long.Parse(words[1], CultureInfo.InvariantCulture));
        context.Count("of those refused", long.Parse(words[2], CultureInfo.InvariantCulture));
        context.Count("messages through them", long.Parse(words[3], CultureInfo.InvariantCulture));
        context.Count("of those seen to be spoiled", long.Parse(words[4], CultureInfo.InvariantCulture));
    }

    /// <summary>Threads make, open, list and delete regions of a few names, whose files another overwrites.</summary>
    private static void ScribbleOverRegions(AttackContext context)
    {
        string directory = Directory.CreateTempSubdirectory("tarn-torture-").FullName;
        bool isOver = false;
        int seed = context.Random.Next();
        using CallDeadlines deadlines = new();
        try
        {
            NamedMemory names = RegionSystem.Open("file", directory);
            Task scribbler = Task.Factory.StartNew(
                () => Scribble(context, directory, new Random(seed), ref isOver), TaskCreationOptions.LongRunning);
            Task[] users =
            [
                .. Enumerable.Range(1, Threads).Select(user => Task.Factory.StartNew(
                    () => Use(context, deadlines, names, new Random(seed + user), context.Part(0.5)), TaskCreationOptions.LongRunning)),
            ];
            try
            {
                Task.WaitAll(users);
            }
            finally
            {
                Volatile.Write(ref isOver, true);
                scribbler.Wait();
            }
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }

    private static void Use(AttackContext context, CallDeadlines deadlines, NamedMemory names, Random random, TimeSpan duration)
    {
        long calls = 0;
        long refused = 0;
        for (long start = Environment.TickCount64; Environment.TickCount64 - start < duration.TotalMilliseconds; calls++)
        {
            try
            {
                deadlines.Within("a call on a region", () => RegionChurn.Step(names, random));
            }
            catch (Exception e) when (e is InvalidDataException or IOException)
            {
                refused++;
            }
        }

        context.Count("calls on spoiled regions", calls);
        context.Count("of them refused, as spoiled, taken or gone", refused);
    }

    private static void Scribble(AttackContext context, string directory, Random random, ref bool isOver)
    {
        long scribbles = 0;
        byte[] value = new byte[sizeof(long)];
        while (!Volatile.Read(ref isOver))
        {
            string[] files = Directory.GetFiles(directory);
            if (files.Length == 0)
            {
                continue;
            }

            try
            {
                using Microsoft.Win32.SafeHandles.SafeFileHandle file = File.OpenHandle(
                    files[random.Next(files.Length)], FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
                BinaryPrimitives.WriteInt64LittleEndian(
                    value, random.Next(2) == 0 ? s_values[random.Next(s_values.Length)] : random.NextInt64());
                RandomAccess.Write(
                    file, value.AsSpan(0, random.Next(2) == 0 ? sizeof(int) : sizeof(long)), s_fields[random.Next(s_fields.Length)]);
                scribbles++;
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // It is gone again, or not there yet.
            }
        }

        context.Count("region headers overwritten", scribbles);
    }
}
