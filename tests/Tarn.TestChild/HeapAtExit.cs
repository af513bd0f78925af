using System.Runtime.CompilerServices;

namespace Tarn.TestChild;

/// <summary>Leaves a heap behind with a late write, an overrun and a leak in it: the last look at the heap has to find all three.</summary>
internal static unsafe class HeapAtExit
{
    private static readonly NativeHeap s_heap = new(new NativeHeapOptions { Name = "left", Checks = BufferChecks.All });

    internal static void Run(string[] arguments)
    {
        BufferDiagnostics.IncidentFound += static (_, incident) =>
        {
            // A handler that uses the same heap, here and on another thread, must not fail and must not wait forever.
            s_heap.Free(s_heap.Allocate(100));
            Thread other = new(static () => s_heap.Free(s_heap.Allocate(100)));
            other.Start();
            other.Join();
            Console.WriteLine($"{incident.Kind} {incident.SourceName} {incident.SizeInBytes} by {Name(incident.RentedAt)}");
        };

        byte* written = AllocateWritten();
        s_heap.Free(written);
        written[50] = 1;
        AllocateOverrun()[70] = 1;
        for (int i = 0; i < 3; i++)
        {
            AllocateLeaked();
        }

        Console.WriteLine("ending");
        if (arguments is ["Environment.Exit"])
        {
            Environment.Exit(0);
        }
    }

    private static string? Name(string? stack) =>
        new[] { nameof(AllocateWritten), nameof(AllocateOverrun), nameof(AllocateLeaked) }
            .SingleOrDefault(name => stack?.Contains(name, StringComparison.Ordinal) ?? false);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte* AllocateWritten() => (byte*)s_heap.Allocate(60);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte* AllocateOverrun() => (byte*)s_heap.Allocate(70);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte* AllocateLeaked() => (byte*)s_heap.Allocate(80);
}
