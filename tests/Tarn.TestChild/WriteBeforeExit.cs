using System.Runtime.CompilerServices;

namespace Tarn.TestChild;

/// <summary>Writes to a returned buffer and ends the process. The final check of the quarantine has to find the write.</summary>
internal static class WriteBeforeExit
{
    private static readonly BufferPool<int> s_pool = BufferPool<int>.Create(
        new BufferPoolOptions { Name = "exit", Checks = BufferChecks.UseAfterReturn });

    internal static void Run(string[] arguments)
    {
        BufferDiagnostics.IncidentFound += (_, incident) =>
        {
            // A handler that rents from the same pool, here and on another thread, must not fail and must not wait forever.
            s_pool.Return(s_pool.Rent(100));
            Thread other = new(() => s_pool.Return(s_pool.Rent(100)));
            other.Start();
            other.Join();
            Console.WriteLine($"incident={incident.Kind} {incident.SourceName} {incident.SizeInBytes}");
            Console.WriteLine($"rentedHere={incident.RentedAt?.Contains(nameof(RentHere), StringComparison.Ordinal)}");
            Console.WriteLine($"returnedHere={incident.ReturnedAt?.Contains(nameof(ReturnHere), StringComparison.Ordinal)}");
        };

        int[] written = RentHere();
        int[] untouched = RentHere();
        ReturnHere(written);
        ReturnHere(untouched);
        written[^1]++;
        Console.WriteLine("ending");
        if (arguments is ["Environment.Exit"])
        {
            Environment.Exit(0);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int[] RentHere() => s_pool.Rent(100);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReturnHere(int[] buffer) => s_pool.Return(buffer);
}
