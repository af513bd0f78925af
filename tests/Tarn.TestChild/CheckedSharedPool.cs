namespace Tarn.TestChild;

/// <summary>Misuses the shared pool in each way a check finds, and tells which checks this process makes.</summary>
/// <remarks>The process starts with <c>TARN_CHECKS</c> set or not; nothing here asks for a check.</remarks>
internal static class CheckedSharedPool
{
    /// <summary>Long enough that no other code in this process rents it.</summary>
    private const int Length = 12_288;

    internal static void Run(string[] arguments)
    {
        long incidents = 0;
        int leaks = 0;
        int lateWrites = 0;
        BufferDiagnostics.IncidentFound += incident =>
        {
            if (incident.Kind == BufferIncidentKind.Leak)
            {
                Interlocked.Increment(ref leaks);
            }
            else if (incident.Kind == BufferIncidentKind.UseAfterReturn)
            {
                Interlocked.Increment(ref lateWrites);
            }

            Interlocked.Increment(ref incidents);
        };

        Console.WriteLine($"returns={FindsForeignArray()}");
        Console.WriteLine($"writes={FindsLateWrite(ref lateWrites)}");
        Console.WriteLine($"leaks={CountLeaks(ref leaks)}");
    }

    /// <summary>An array from elsewhere, of a length the pool hands out, is refused only by a pool that notes what it handed out.</summary>
    private static bool FindsForeignArray()
    {
        try
        {
            BufferPool<byte>.Shared.Return(new byte[Length]);
            return false;
        }
        catch (InvalidOperationException)
        {
            return true;
        }
    }

    private static bool FindsLateWrite(ref int lateWrites)
    {
        byte[] buffer = BufferPool<byte>.Shared.Rent(Length);
        buffer.AsSpan().Clear();
        BufferPool<byte>.Shared.Return(buffer);
        buffer[7] = 42;
        BufferPool<byte>.Shared.Trim();
        return Waiting.Until(ref lateWrites, static count => count > 0, TimeSpan.FromSeconds(2));
    }

    /// <summary>How many of 1280 dropped buffers are reported: none, one in 128 or all.</summary>
    private static int CountLeaks(ref int leaks)
    {
        for (int i = 0; i < 1280; i++)
        {
            Drop();
        }

        int seen = -1;
        while (seen != Volatile.Read(ref leaks))
        {
            seen = Volatile.Read(ref leaks);
            for (int i = 0; i < 3; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }

            Waiting.ForThreadPool();
        }

        return seen;
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void Drop() => BufferPool<byte>.Shared.Rent(64)[0] = 1;
}
