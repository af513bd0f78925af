using System.Runtime.CompilerServices;

namespace Tarn.TestChild.Misuses;

/// <summary>Ways to misuse an array pool.</summary>
internal static class ArrayMisuses
{
    private const int Length = 100;

    private static readonly Dictionary<string, Action<MisuseTrial, BufferPool<byte>>> s_kinds = new()
    {
        ["second return, at once"] = static (trial, pool) =>
        {
            byte[] buffer = pool.Rent(Length);
            pool.Return(buffer);
            trial.Commit(() => pool.Return(buffer));
        },
        ["second return, after other buffers came back"] = static (trial, pool) =>
        {
            byte[][] buffers = [.. Enumerable.Range(0, 5).Select(_ => pool.Rent(Length))];
            Array.ForEach(buffers, buffer => pool.Return(buffer));
            trial.Commit(() => pool.Return(buffers[2]));
        },
        ["return of an array of a length the pool never hands out"] = static (trial, pool) =>
            trial.Commit(() => pool.Return(new byte[Length + 1])),
        ["return of an array from elsewhere, of a length the pool hands out"] = static (trial, pool) =>
        {
            byte[] buffer = pool.Rent(Length);
            pool.Return(buffer);
            trial.Commit(() => pool.Return(new byte[buffer.Length]));
        },
        ["return to another pool"] = static (trial, pool) =>
        {
            BufferPool<byte> other = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
            trial.Commit(() => pool.Return(other.Rent(Length)));
        },
        ["write after return"] = static (trial, pool) =>
        {
            byte[] buffer = pool.Rent(Length);
            pool.Return(buffer);
            trial.Commit(() => buffer[3] = 1);
        },
        ["read after return"] = static (trial, pool) =>
        {
            byte[] buffer = pool.Rent(Length);
            buffer.AsSpan().Fill(1);
            pool.Return(buffer);
            trial.Commit(() => trial.NoteRead(buffer[3]));
        },
        ["write behind the length asked for, within the array"] = static (trial, pool) =>
        {
            byte[] buffer = pool.Rent(Length);
            trial.Commit(() => buffer[Length] = 1);
            pool.Return(buffer);
        },
        ["array dropped without a return"] = static (trial, pool) => trial.Commit(() => Drop(pool)),
        ["owner of `LeaseMemory` dropped without `Dispose`"] = static (trial, pool) => trial.Commit(() => DropOwner(pool)),
        ["use of `LeaseMemory` after `Dispose`"] = static (trial, pool) =>
        {
            System.Buffers.IMemoryOwner<byte> owner = pool.LeaseMemory(Length);
            owner.Dispose();
            trial.Commit(() => trial.NoteRead(owner.Memory.Span[0]));
        },
    };

    internal static IEnumerable<string> Kinds => s_kinds.Keys;

    internal static string Commit(string kind, BufferChecks checks, int times)
    {
        using MisuseTrial trial = new($"misused: {kind}", checks);
        CommitAll(trial, s_kinds[kind], times);
        MisuseTrial.LookAgain();
        return trial.Describe();
    }

    /// <summary>A separate method, so that no local here keeps the garbage reachable.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CommitAll(MisuseTrial trial, Action<MisuseTrial, BufferPool<byte>> misuse, int times)
    {
        BufferPoolOptions options = new() { Name = trial.Name, Checks = trial.Checks, Clock = StoppedTime.CreateClock() };
        BufferPool<byte> pool = BufferPool<byte>.Create(options);
        MakeRoom(pool);
        for (int i = 0; i < times; i++)
        {
            misuse(trial, pool);
        }

        pool.Trim();
    }

    /// <summary>Gives the thread room, as any program does: its first uses of a pool take the slow path, which looks closer.</summary>
    private static void MakeRoom(BufferPool<byte> pool)
    {
        for (int i = 0; i < 10; i++)
        {
            byte[][] buffers = [.. Enumerable.Range(0, 10).Select(_ => pool.Rent(Length))];
            Array.ForEach(buffers, buffer => pool.Return(buffer));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Drop(BufferPool<byte> pool) => pool.Rent(Length)[0] = 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DropOwner(BufferPool<byte> pool) => pool.LeaseMemory(Length).Memory.Span[0] = 1;
}
