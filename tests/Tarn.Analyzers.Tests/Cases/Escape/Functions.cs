using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

/// <summary>Lambdas that run on after the return, and functions that are called after it.</summary>
internal sealed class WrongFunctions
{
    private event Action? Raised;

    internal static void Run(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Task.Run(() => stream.Write(array, 0, 9));
        ArrayPool<byte>.Shared.Return(array); // expect TARN006
    }

    internal static async Task RunAndWaitForATime(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        _ = Task.Run(async () => await stream.WriteAsync(array, 0, 9));
        await Task.Delay(10);
        ArrayPool<byte>.Shared.Return(array); // expect TARN006
    }

    internal static void StartNew(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Task task = Task.Factory.StartNew(() => stream.Write(array, 0, 9));
        ArrayPool<byte>.Shared.Return(array); // expect TARN006
        task.Wait();
    }

    internal static void Continue(Stream stream, Task before)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        before.ContinueWith(_ => stream.Write(array, 0, 9));
        ArrayPool<byte>.Shared.Return(array); // expect TARN006
    }

    internal static void Queue(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        ThreadPool.QueueUserWorkItem(_ => stream.Write(array, 0, 9));
        ArrayPool<byte>.Shared.Return(array); // expect TARN006
    }

    internal static void Thread(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Thread thread = new(() => stream.Write(array, 0, 9)) { IsBackground = true };
        thread.Start();
        ArrayPool<byte>.Shared.Return(array); // expect TARN006
    }

    internal static void Timer(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        using Timer timer = new(_ => stream.Write(array, 0, 9), null, 0, 100);
        ArrayPool<byte>.Shared.Return(array); // expect TARN006
    }

    internal static void Owner()
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(9); // expect TARN006
        Task.Run(() => owner.Memory.Span[0]);
    }

    internal void Event(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Raised += () => stream.Write(array, 0, 9); // expect TARN003
        ArrayPool<byte>.Shared.Return(array);
    }

    internal static void CalledAfterReturn(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        void Write() => stream.Write(array, 0, 9);
        ArrayPool<byte>.Shared.Return(array);
        Write(); // expect TARN002
    }

    internal static void DelegateAfterReturn(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Action write = () => stream.Write(array, 0, 9);
        ArrayPool<byte>.Shared.Return(array);
        write(); // expect TARN002
    }

    internal static void ReturnedByBoth()
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        void Release()
        {
            array.AsSpan().Clear();
            ArrayPool<byte>.Shared.Return(array);
        }

        Release();
        ArrayPool<byte>.Shared.Return(array); // expect TARN001
    }

    internal static int UsedAfterFunctionReturned()
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Action release = () => ArrayPool<byte>.Shared.Return(array);
        release();
        return array[0]; // expect TARN002
    }

    internal static async Task AsynchronousFunction(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Task writing = WriteAsync();
        ArrayPool<byte>.Shared.Return(array); // expect TARN006
        await writing;

        async Task WriteAsync()
        {
            await Task.Yield();
            await stream.WriteAsync(array, 0, 9);
        }
    }

    internal static void OnlyCalled()
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9); // expect TARN011
        void Set() => array[0] = 1;
        Set();
    }

    internal static void OnlyInvoked()
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9); // expect TARN011
        Action set = () => array[0] = 1;
        set.Invoke();
    }

    internal static int Counted(List<int> list)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9); // expect TARN011
        return list.Count(one => array[0] == one);
    }
}

internal sealed class RightFunctions
{
    private event Action? Raised;

    private readonly List<Task> _tasks = [];

    private static Action? s_kept;

    internal static async Task Awaited(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        await Task.Run(() => stream.Write(array, 0, 9));
        Task task = Task.Run(() => stream.Write(array, 0, 9));
        await task;
        ArrayPool<byte>.Shared.Return(array);
    }

    internal static void Waited(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Task.Run(() => stream.Write(array, 0, 9)).Wait();
        Task.WaitAll(Task.Run(() => stream.Write(array, 0, 9)));
        Task.Run(() => stream.Write(array, 0, 9)).GetAwaiter().GetResult();
        ArrayPool<byte>.Shared.Return(array);
    }

    internal async Task AwaitedTogether(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        for (int i = 0; i < 3; i++)
        {
            _tasks.Add(Task.Run(() => stream.Write(array, 0, 9)));
        }

        await Task.WhenAll(_tasks);
        ArrayPool<byte>.Shared.Return(array);
    }

    internal static void Signalled(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        using ManualResetEventSlim isDone = new();
        ThreadPool.QueueUserWorkItem(_ => { stream.Write(array, 0, 9); isDone.Set(); });
        isDone.Wait();
        ArrayPool<byte>.Shared.Return(array);
    }

    internal static async Task Completed(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        TaskCompletionSource done = new();
        _ = Task.Run(() => { stream.Write(array, 0, 9); done.SetResult(); });
        await done.Task;
        ArrayPool<byte>.Shared.Return(array);
    }

    internal static void ByFlag(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        bool isDone = false;
        ThreadPool.QueueUserWorkItem(_ => { stream.Write(array, 0, 9); isDone = true; });
        while (!isDone)
        {
            Thread.Sleep(1);
        }

        ArrayPool<byte>.Shared.Return(array);
    }

    internal static void Joined(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Thread thread = new(() => stream.Write(array, 0, 9));
        thread.Start();
        thread.Join();
        ArrayPool<byte>.Shared.Return(array);
    }

    internal static void NotStarted(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Thread thread = new(() => stream.Write(array, 0, 9));
        ArrayPool<byte>.Shared.Return(array);
        GC.KeepAlive(thread);
    }

    internal static void TimerEnded(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        using (Timer timer = new(_ => stream.Write(array, 0, 9), null, 0, 100))
        {
            Thread.Sleep(1000);
        }

        ArrayPool<byte>.Shared.Return(array);
    }

    internal static void ReturnedThere(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Task.Run(() =>
        {
            stream.Write(array, 0, 9);
            ArrayPool<byte>.Shared.Return(array);
        });
    }

    internal static void LengthOnly()
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Task.Run(() => Console.WriteLine(array.Length));
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void Removed(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Action handler = () => stream.Write(array, 0, 9);
        Raised += handler;
        stream.Flush();
        Raised -= handler;
        ArrayPool<byte>.Shared.Return(array);
    }

    internal static void CalledBeforeReturn(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Write();
        ArrayPool<byte>.Shared.Return(array);

        void Write() => stream.Write(array, 0, 9);
    }

    internal static void CalledAfterNewRent(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        void Write() => stream.Write(array, 0, 9);
        ArrayPool<byte>.Shared.Return(array);
        array = ArrayPool<byte>.Shared.Rent(99);
        Write();
        ArrayPool<byte>.Shared.Return(array);
    }

    internal static void ReturnedByFunction(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        stream.ReadExactly(array, 0, 9);
        Release();

        void Release() => ArrayPool<byte>.Shared.Return(array);
    }

    internal static void ReturnedInDoubt(Stream stream, bool isLast)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Release();
        if (!isLast)
        {
            stream.ReadExactly(array, 0, 9);
            ArrayPool<byte>.Shared.Return(array);
        }

        void Release()
        {
            if (isLast)
            {
                ArrayPool<byte>.Shared.Return(array);
            }
        }
    }

    internal static void UsedInDoubt(Stream stream, bool isFirst)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Write();
        ArrayPool<byte>.Shared.Return(array);
        isFirst = false;
        Write();

        void Write()
        {
            if (!isFirst)
            {
                return;
            }

            stream.Write(array, 0, 9);
        }
    }

    internal static void Kept()
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        Action set = () => array[0] = 1;
        s_kept = set;
        set();
    }

    internal static IEnumerable<int> Deferred(List<int> list)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        return list.Where(one => array[0] == one);
    }

    internal static async Task AsynchronousFunction(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        await WriteAsync();
        ArrayPool<byte>.Shared.Return(array);

        async Task WriteAsync() => await stream.WriteAsync(array, 0, 9);
    }
}
