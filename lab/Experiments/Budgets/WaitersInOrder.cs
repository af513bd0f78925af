using System.Diagnostics;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Budgets;

/// <summary>Requests of different sizes that all wait, granted one after the other while earlier grants return.</summary>
/// <param name="NanosecondsPerRequest">The time from the first return to the last grant, for one request.</param>
/// <param name="OutOfOrder">The requests that were granted before an earlier one.</param>
internal sealed record WaitersInOrder(double NanosecondsPerRequest, int OutOfOrder)
{
    private const int Limit = 1 << 20;

    public static WaitersInOrder Measure(int count, Random random)
    {
        BufferBudget all = new(Limit);
        BufferBudget tenant = all.CreateChild(Limit);
        tenant.Take(Limit);
        int[] sizes = [.. Enumerable.Range(0, count).Select(_ => random.Next(10) == 0 ? Limit : 1 + random.Next(64 << 10))];
        Task[] requests = [.. sizes.Select(size => tenant.TakeAsync(size).AsTask())];
        int outOfOrder = 0;
        long start = Stopwatch.GetTimestamp();
        tenant.Return(Limit);
        for (int i = 0; i < count; i++)
        {
            // Everything before it has returned, so it must have been granted; and what does not fit behind it must not have been.
            outOfOrder += requests[i].IsCompleted ? 0 : 1;
            outOfOrder += i + 1 < count && sizes[i] == Limit && requests[i + 1].IsCompleted ? 1 : 0;
            tenant.Return(sizes[i]);
        }

        return new WaitersInOrder(Clock.NanosecondsSince(start) / count, outOfOrder);
    }
}
