using System.Buffers;
using System.Globalization;

namespace Tarn.TestChild;

/// <summary>
/// Sixty-four requests that arrive before any is answered, each with a body of some megabytes: more than the process may have. Arguments:
/// <c>arrays</c> or <c>blocks</c>, and the bytes of the budget that the bodies are taken from, or 0 for none. Writes the number of
/// requests answered and the most bytes of bodies at once.
/// </summary>
internal static class RequestsAtOnce
{
    internal const int Count = 64;
    internal const int BodyBytes = 4 << 20;

    private static readonly TaskCompletionSource s_haveAllArrived = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private static long s_bodies;
    private static long s_most;
    private static int s_answered;

    internal static void Run(string[] arguments)
    {
        bool hasArrays = arguments[0] == "arrays";
        long bytes = long.Parse(arguments[1], CultureInfo.InvariantCulture);
        BufferBudget? budget = bytes == 0 ? null : new BufferBudget(bytes, "bodies");
        using NativeHeap heap = new();
        Task[] requests =
        [
            .. Enumerable.Range(0, Count).Select(_ => hasArrays ? AnswerFromArrayAsync(budget) : AnswerFromBlockAsync(heap, budget)),
        ];
        s_haveAllArrived.SetResult();
        Task.WhenAll(requests).GetAwaiter().GetResult();
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{s_answered} {s_most}"));
    }

    private static async Task AnswerFromArrayAsync(BufferBudget? budget)
    {
        BufferPool<byte> pool = BufferPool<byte>.Shared;
        using IMemoryOwner<byte> body = budget is null ? pool.LeaseMemory(BodyBytes) : await budget.LeaseMemoryAsync(pool, BodyBytes);
        await AnswerAsync(body.Memory);
    }

    private static async Task AnswerFromBlockAsync(NativeHeap heap, BufferBudget? budget)
    {
        if (budget is not null)
        {
            await budget.TakeAsync(BodyBytes);
        }

        using (NativeBuffer<byte> body = heap.AllocateBuffer<byte>(BodyBytes))
        {
            await AnswerAsync(body.Memory);
        }

        budget?.Return(BodyBytes);
    }

    private static async Task AnswerAsync(Memory<byte> body)
    {
        body.Span.Fill(1);
        long bodies = Interlocked.Add(ref s_bodies, BodyBytes);
        NoteMost(bodies);
        await s_haveAllArrived.Task;
        Interlocked.Add(ref s_bodies, -BodyBytes);
        Interlocked.Increment(ref s_answered);
    }

    private static void NoteMost(long bodies)
    {
        long most = Volatile.Read(ref s_most);
        while (bodies > most)
        {
            long seen = Interlocked.CompareExchange(ref s_most, bodies, most);
            most = seen == most ? bodies : seen;
        }
    }
}
