using System.Diagnostics;
using System.Globalization;
using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// Races every member of every owner of shared memory with its disposal. Arguments: the kind, milliseconds for each member, and, where
/// another process is to spoil the memory meanwhile, a seed. Writes each race before it begins, because it may end the process, then a line
/// for each violation, and "done" with the number of races.
/// </summary>
/// <remarks>
/// The call must complete or throw <see cref="ObjectDisposedException"/>, the disposals must end and throw nothing, what calls wrote that
/// returned must be there, and no name, mapping, open file or pooled memory may remain. Where the memory is spoiled, calls may throw what
/// is documented for that, and contents mean nothing; disposals throw nothing even then, and nothing remains.
/// </remarks>
internal static class SharingRaces
{
    internal const string Violation = "VIOLATION ";

    /// <summary>The calls that may follow a disposal before one must have failed.</summary>
    private const int MostCalls = 100_000;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);
    private static Random s_random = new(11);
    private static bool s_spoils;

    internal static void Run(string[] arguments)
    {
        TimeSpan duration = TimeSpan.FromMilliseconds(double.Parse(arguments[1], CultureInfo.InvariantCulture));
        string prefix = $"races-{Environment.ProcessId}-";
        long races = 0;
        if (arguments.Length > 2)
        {
            s_spoils = true;
            s_random = new Random(int.Parse(arguments[2], CultureInfo.InvariantCulture));
        }

        foreach (RacedSharingMember member in RacedSharingMember.Of(arguments[0]))
        {
            Console.WriteLine($"{arguments[0]}: {member.Name}");
            long before = BufferPool<byte>.Shared.GetStatistics().InUseBytes;
            string? violation = null;
            Stopwatch watch = Stopwatch.StartNew();
            for (int race = 0; violation is null && (race < 3 || watch.Elapsed < duration); race++, races++)
            {
                violation = RaceOnce($"{prefix}{race}", member);
            }

            if ((violation ?? FindLeft(prefix, before)) is { } found)
            {
                Console.WriteLine($"{Violation}{member.Name} of {arguments[0]}: {found.ReplaceLineEndings(" ")}");
            }
        }

        Console.WriteLine($"done {races}");
    }

    private static string? RaceOnce(string name, RacedSharingMember member)
    {
        using RacedSharing raced = member.Create(name, s_random);
        string? violation = null;
        bool hasBegun = false;
        Thread caller = new(() => violation = Call(raced, member, ref hasBegun)) { IsBackground = true };
        caller.Start();
        SpinWait.SpinUntil(() => Volatile.Read(ref hasBegun));
        Thread.SpinWait(s_random.Next(s_random.Next(4) == 0 ? 50_000 : 2000));
        for (int i = s_spoils ? s_random.Next(1, 6) : 0; i > 0; i--)
        {
            Spoil(name);
        }

        Task[] disposing = [.. Enumerable.Range(0, 1 + s_random.Next(2)).Select(_ =>
            Task.Factory.StartNew(raced.Disposals[s_random.Next(raced.Disposals.Count)], TaskCreationOptions.LongRunning))];
        try
        {
            if (!Task.WaitAll(disposing, s_patience))
            {
                return "A disposal does not end.";
            }
        }
        catch (AggregateException e)
        {
            return $"A disposal throws {e.InnerException}";
        }

        raced.IsDisposed = true;
        if (!caller.Join(s_patience))
        {
            return "It does not end after the disposal.";
        }

        raced.Disposals.ForEach(static again => again());
        return violation ?? (s_spoils ? null : raced.Verify());
    }

    /// <summary>Writes anything to a word of one of the files of these names, as a process that has it open may.</summary>
    private static void Spoil(string name)
    {
        string[] files = Directory.GetFiles(NamedMemory.Current.Directory, $"{RegionNames.Prefix}{name}*");
        if (files.Length == 0)
        {
            return;
        }

        ulong value = s_random.Next(2) == 0
            ? (ulong)s_random.NextInt64()
            : HostileRing.s_values[s_random.Next(HostileRing.s_values.Length)];
        long offset = s_random.Next(4) switch
        {
            0 => s_random.Next(11) * 8,
            1 => RegionHeader.Length + (s_random.Next(8) * 64),
            _ => RegionHeader.Length + (s_random.Next(300) * 8),
        };
        try
        {
            using Microsoft.Win32.SafeHandles.SafeFileHandle file = File.OpenHandle(
                files[s_random.Next(files.Length)], FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
            if (offset + sizeof(ulong) <= RandomAccess.GetLength(file))
            {
                RandomAccess.Write(file, BitConverter.GetBytes(value), offset);
            }
        }
        catch (IOException)
        {
            // The owner of that name is disposed already.
        }
    }

    private static string? Call(RacedSharing raced, RacedSharingMember member, ref bool hasBegun)
    {
        int late = 0;
        try
        {
            while (late < MostCalls)
            {
                late += raced.IsDisposed ? 1 : 0;
                Volatile.Write(ref hasBegun, true);
                member.Call(raced);
                if (late > 0 && member.Outlives)
                {
                    return null;
                }
            }

            return "It never throws after the disposal.";
        }
        catch (ObjectDisposedException)
        {
            return null;
        }
        catch (Exception e) when (s_spoils && e is InvalidDataException or InvalidOperationException or IOException or TimeoutException
            or ArgumentOutOfRangeException)
        {
            return null;
        }
#pragma warning disable CA1031 // any other exception is a finding
        catch (Exception e)
#pragma warning restore CA1031
        {
            return $"It throws {e}";
        }
    }

    /// <summary>What remains of owners of which every side was disposed.</summary>
    private static string? FindLeft(string prefix, long before)
    {
        string? found = null;
        bool isFree = SpinWait.SpinUntil(() => (found = Find()) is null, TimeSpan.FromSeconds(10));
        return isFree ? null : found;

        string? Find()
        {
            string? name = Directory.GetFiles(NamedMemory.Current.Directory, $"{RegionNames.Prefix}{prefix}*").FirstOrDefault();
            long inUse = BufferPool<byte>.Shared.GetStatistics().InUseBytes - before;
            bool isMapped = OperatingSystem.IsLinux() && File.ReadAllText("/proc/self/maps").Contains(prefix, StringComparison.Ordinal);
            return name is not null ? $"The name {name} remains."
                : isMapped ? "It stays mapped."
                : OperatingSystem.IsLinux() && HasOpen(prefix) ? "A file stays open."
                : inUse != 0 ? $"{inUse} pooled bytes stay in use."
                : null;
        }
    }

    private static bool HasOpen(string prefix) => Directory.GetFiles("/proc/self/fd").Any(file =>
    {
        try
        {
            return new FileInfo(file).LinkTarget?.Contains(prefix, StringComparison.Ordinal) == true;
        }
        catch (IOException)
        {
            // The list had itself.
            return false;
        }
    });
}
