namespace Tarn.TestChild;

/// <summary>Misuses the shared pool in each way a check finds, and reports which checks this process makes.</summary>
/// <remarks>
/// Arguments: the leaks to wait for, and whether to wait for a late write. The process starts with <c>TARN_CHECKS</c> set or not; nothing
/// here asks for a check.
/// </remarks>
internal static class CheckedSharedPool
{
    /// <summary>Long enough that no other code in this process rents it.</summary>
    private const int Length = 12_288;

    /// <summary>What is expected comes much sooner, unless the machine does much else.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(2);

    internal static void Run(string[] arguments)
    {
        int leaks = 0;
        int lateWrites = 0;
        BufferDiagnostics.IncidentFound += (_, incident) =>
        {
            if (incident.Kind == BufferIncidentKind.Leak)
            {
                Interlocked.Increment(ref leaks);
            }
            else if (incident.Kind == BufferIncidentKind.UseAfterReturn)
            {
                Interlocked.Increment(ref lateWrites);
            }
        };

        Console.WriteLine($"returns={FindsForeignArray()}");
        Console.WriteLine($"writes={FindsLateWrite(ref lateWrites, bool.Parse(arguments[1]))}");
        Console.WriteLine($"leaks={CountLeaks(ref leaks, int.Parse(arguments[0]))}");
    }

    /// <summary>
    /// An array from elsewhere, of a length the pool hands out, is refused only by a pool that records the arrays it rents out.
    /// </summary>
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

    private static bool FindsLateWrite(ref int lateWrites, bool expected)
    {
        byte[] buffer = BufferPool<byte>.Shared.Rent(Length);
        buffer.AsSpan().Clear();
        BufferPool<byte>.Shared.Return(buffer);
        buffer[7] = 42;
        BufferPool<byte>.Shared.Trim();
        BufferDiagnostics.WaitForHandlers();
        return Waiting.Until(ref lateWrites, static count => count > 0, expected ? s_limit : TimeSpan.Zero);
    }

    /// <summary>How many of 1280 dropped buffers are reported: none, one in 128 or all. Waits for as many as are expected.</summary>
    private static int CountLeaks(ref int leaks, int expected)
    {
        for (int i = 0; i < 1280; i++)
        {
            Drop();
        }

        long end = Environment.TickCount64 + (long)s_limit.TotalMilliseconds;
        do
        {
            for (int i = 0; i < 3; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }

            BufferDiagnostics.WaitForHandlers();
        }
        while (Volatile.Read(ref leaks) < expected && Environment.TickCount64 < end);
        return Volatile.Read(ref leaks);
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static void Drop() => BufferPool<byte>.Shared.Rent(64)[0] = 1;
}
