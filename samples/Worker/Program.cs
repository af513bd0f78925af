using System.Diagnostics;
using System.Globalization;
using Samples;
using Tarn;

const int Orders = 1000;

int? jobs = args switch
{
    [] => 200,
    ["--jobs", string count] when int.TryParse(count, CultureInfo.InvariantCulture, out int asked) && asked > 0 => asked,
    _ => null,
};
if (jobs is null)
{
    Console.Error.WriteLine($"Unknown arguments: {string.Join(' ', args)}. Usage: [--jobs <number from 1>]");
    return 2;
}

Order[] orders =
    [.. Enumerable.Range(0, Orders).Select(static i => new Order(i, "A customer with a name of usual length", i * 7919 % 10_000 / 100m))];

// The whole move: the worker's code stays, and gets another stream.
Result before = Measure(static () => new MemoryStream());
Result after = Measure(static () => new PooledMemoryStream());

Print(nameof(MemoryStream), before);
Print(nameof(PooledMemoryStream), after);
if (before.Sent != after.Sent)
{
    Console.Error.WriteLine($"The jobs sent different bytes: {before.Sent} and {after.Sent}.");
    return 1;
}

Console.WriteLine($"Both sent the same bytes: {before.Sent}");
return 0;

Result Measure(Func<MemoryStream> newStream)
{
    // Once before the clock: the first job compiles code, and fills the pool.
    string sent = ExportJob.Run(newStream, orders);
    int collections = GC.CollectionCount(0);
    long allocated = GC.GetTotalAllocatedBytes(precise: true);
    long start = Stopwatch.GetTimestamp();
    for (int i = 0; i < jobs; i++)
    {
        sent = ExportJob.Run(newStream, orders);
    }

    TimeSpan time = Stopwatch.GetElapsedTime(start);
    return new Result(sent, (GC.GetTotalAllocatedBytes(precise: true) - allocated) / jobs.Value, GC.CollectionCount(0) - collections, time);
}

static void Print(string name, Result result) => Console.WriteLine(string.Create(
    CultureInfo.InvariantCulture,
    $"{name,-18} {result.BytesAllocated,9:N0} bytes allocated a job, {result.Collections} collections, {result.Time.TotalSeconds:F2} s"));

internal sealed record Result(string Sent, long BytesAllocated, int Collections, TimeSpan Time);
