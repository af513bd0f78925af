using System.Globalization;

namespace Tarn.TestChild;

/// <summary>
/// Uses much memory at once, in pools with short timeouts, and then sleeps. Writes the resident bytes at the start, after the burst, and
/// when they are near those of the start again, or after a minute. Argument: whether to collect when idle.
/// </summary>
internal static class IdleProgram
{
    private const int Connections = 200;
    private const int Length = 900 << 10;

    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    internal static void Run(string[] arguments)
    {
        AppContext.SetSwitch(IdleGarbage.SwitchName, bool.Parse(arguments[0]));
        BufferPool<byte> first = Create<byte>(1);
        BufferPool<char> second = Create<char>(3);
        Use(first, 2);
        Use(second, 2);
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        long start = Environment.WorkingSet;
        Use(first, Connections);
        Use(second, Connections / 4);
        long burst = Environment.WorkingSet;
        TimeSpan patience = bool.Parse(arguments[0]) ? s_patience : s_patience / 6;
        long began = Environment.TickCount64;
        long end;
        do
        {
            Thread.Sleep(100);
            end = Environment.WorkingSet;
        }
        while (end > start / 10 * 11 && Environment.TickCount64 - began < patience.TotalMilliseconds);

        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"{start} {burst} {end} {IdleGarbage.Collections} {Environment.TickCount64 - began}"));
    }

    private static BufferPool<T> Create<T>(int seconds) => BufferPool<T>.Create(new BufferPoolOptions
    {
        IdleTimeout = TimeSpan.FromSeconds(seconds),
        Checks = BufferChecks.None,
    });

    private static void Use<T>(BufferPool<T> pool, int connections)
    {
        T[][] rented = [.. Enumerable.Range(0, connections).Select(_ => pool.Rent(Length))];
        Array.ForEach(rented, static array => Array.Clear(array));
        Array.ForEach(rented, array => pool.Return(array));
    }
}
