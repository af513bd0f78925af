using System.Runtime.CompilerServices;

namespace Tarn.TestChild;

/// <summary>
/// Returns a buffer twice in one place, again and again, to a pool whose checks the environment names. Arguments: how often, and whether
/// anyone listens, and then counts; or "places", and then it does so in a second place as well.
/// </summary>
internal static class RepeatedMisuse
{
    internal static void Run(string[] arguments)
    {
        int heard = 0;
        if (arguments is [_, "True"])
        {
            BufferDiagnostics.IncidentFound += (_, _) => Interlocked.Increment(ref heard);
        }

        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "repeated", Checks = BufferChecks.FromEnvironment });
        int misuses = BufferChecksEnvironment.AsksForChecks ? int.Parse(arguments[0]) : 0;
        for (int i = 0; i < misuses; i++)
        {
            ReturnTwice(pool);
        }

        if (arguments is [_, "places"])
        {
            ReturnTwice(pool);
        }
        else if (arguments.Length > 1)
        {
            BufferDiagnostics.Flush();
            Console.WriteLine($"heard={heard}");
            Console.WriteLine($"counted={BufferDiagnostics.IncidentCount}");
            Console.WriteLine(
                string.Join(' ', BufferDiagnostics.GetIncidents().Select(static incident => $"{incident.Count}: {incident.Place}"))
                    .ReplaceLineEndings(" "));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReturnTwice(BufferPool<byte> pool)
    {
        byte[] buffer = pool.Rent(100);
        pool.Return(buffer);
        try
        {
            pool.Return(buffer);
        }
        catch (InvalidOperationException)
        {
        }
    }
}
