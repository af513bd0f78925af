using System.Buffers;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;

namespace Tarn.TestChild;

/// <summary>A program that loses buffers in one phase of its life, and rents and returns others all the while.</summary>
/// <remarks>
/// Arguments: the seconds it runs, the second in which the phase begins, the buffers rented in the phase, of how many of them one is lost,
/// and at the end "killed" for a program that is killed, or "crashed" for one that fails fast.
/// </remarks>
internal static class PhasedLosses
{
    private const int PhaseMilliseconds = 400;

    public static void Run(string[] arguments)
    {
        double seconds = double.Parse(arguments[0], CultureInfo.InvariantCulture);
        double begin = double.Parse(arguments[1], CultureInfo.InvariantCulture);
        int count = int.Parse(arguments[2], CultureInfo.InvariantCulture);
        int lostOf = int.Parse(arguments[3], CultureInfo.InvariantCulture);
        Console.WriteLine("ready");
        var watch = Stopwatch.StartNew();
        int rented = 0;
        while (watch.Elapsed.TotalSeconds < seconds || rented < count)
        {
            Pair();
            double inPhase = (watch.Elapsed.TotalSeconds - begin) * 1_000 / PhaseMilliseconds;
            for (; rented < Math.Min(count, count * inPhase); rented++)
            {
                Phase(isLost: rented % lostOf == 0);
            }

            Thread.Sleep(5);
        }

        Console.WriteLine(rented);
        if (arguments.Contains("killed"))
        {
            Process.GetCurrentProcess().Kill();
            Thread.Sleep(Timeout.Infinite);
        }

        if (arguments.Contains("crashed"))
        {
            Environment.FailFast("as asked");
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Phase(bool isLost)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(2_000); // loses in a phase
        if (!isLost)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Pair() => ArrayPool<byte>.Shared.Return(ArrayPool<byte>.Shared.Rent(100));
}
