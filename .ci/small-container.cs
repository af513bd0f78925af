// Each part of the library once, in a container that .ci/small-container makes. The argument says whether it has /dev/shm: without, each
// part that shares memory must say so in one exception.
using System.Buffers;
using System.Diagnostics;
using Tarn;
using Tarn.Native;
using Tarn.SharedMemory;

if (args is ["child", string opened])
{
    using SharedRing ring = SharedRing.Open(opened);
    ring.Write("from the child"u8);
    return 0;
}

bool hasSharedMemory = args is ["shared"];
string prefix = $"small-{Environment.ProcessId}-";
int passed = 0, failed = 0;

RunPart("pool", isShared: false, () =>
{
    BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "small" });
    Parallel.For(0, 8, thread =>
    {
        for (int i = 0; i < 20_000; i++)
        {
            byte[] buffer = pool.Rent(1 + (i * 31 % 100_000));
            buffer[0] = (byte)thread;
            Require(buffer[0] == thread, "a buffer is one thread's");
            pool.Return(buffer);
        }
    });
    using IMemoryOwner<byte> owner = BufferPool<byte>.Shared.LeaseMemory(100_000);
    owner.Memory.Span.Fill(1);
    BufferPool<byte>.Shared.Trim();
});
RunPart("heap", isShared: false, () =>
{
    using NativeHeap heap = new();
    FillAndFree(heap);
    heap.Trim();
});
RunPart("too much", isShared: false, () =>
{
    using NativeHeap heap = new();
    RequireRefusal(heap);
});
RunPart("stream", isShared: false, () =>
{
    using PooledMemoryStream stream = new();
    for (int i = 0; i < 1000; i++)
    {
        stream.Write(new byte[4096]);
    }

    stream.Position = 0;
    stream.CopyTo(Stream.Null);
    Require(stream.Length == 4_096_000, "the stream has all that was written");
});
RunPart("writers", isShared: false, () =>
{
    using NativeHeap heap = new();
    using PooledWriter<byte> managed = new(), native = new(heap);
    for (int i = 0; i < 100_000; i++)
    {
        managed.Write("0123456789"u8);
        native.Write("0123456789"u8);
    }

    Require(managed.WrittenSpan.SequenceEqual(native.WrittenSpan), "both writers have the same");
});
RunPart("copying", isShared: false, () =>
{
    byte[] source = new byte[5 << 20], target = new byte[source.Length];
    new Random(1).NextBytes(source);
    BufferCopy.CopyParallel(source, target);
    Require(source.AsSpan().SequenceEqual(target), "the copy is the same");
    BufferCopy.Clear(target);
    Require(!target.AsSpan().ContainsAnyExcept((byte)0), "what was cleared is zero");
});
RunPart("budgets", isShared: false, () =>
{
    BufferBudget all = new(1 << 20, "all");
    using IMemoryOwner<byte> first = all.LeaseMemoryAsync(BufferPool<byte>.Shared, 500_000).AsTask().GetAwaiter().GetResult();
    Require(all.TryLeaseMemory(BufferPool<byte>.Shared, 800_000) is null, "the budget refuses");
});
GC.Collect();
RunPart("region", isShared: true, () =>
{
    using SharedRegion created = SharedRegion.Create(prefix + "region", 1 << 16);
    created.GetSpan(0, 3).Fill(255);
    using SharedRegion region = SharedRegion.Open(prefix + "region");
    Require(region.GetSpan(0, 3)[1] == 255, "both have the same memory");
});
RunPart("ring", isShared: true, () =>
{
    using SharedRing writer = SharedRing.Create(prefix + "ring", capacity: 1 << 16);
    using SharedRing reader = SharedRing.Open(prefix + "ring");
    Task writing = Task.Run(() => Repeat(2000, () => writer.Write(new byte[100])));
    byte[] message = new byte[reader.MaxMessageLength];
    Repeat(2000, () => Require(reader.Read(message) == 100, "each message has its length"));
    writing.Wait();
});
RunPart("processes", isShared: true, () =>
{
    using SharedRing ring = SharedRing.Create(prefix + "child", capacity: 1 << 16);
    using Process child = Process.Start(Environment.ProcessPath!, ["child", prefix + "child"]);
    byte[] message = new byte[ring.MaxMessageLength];
    Require(message.AsSpan(0, ring.Read(message)).SequenceEqual("from the child"u8), "the other process's message comes");
    child.WaitForExit();
});
RunPart("awaiting", isShared: true, () =>
{
    using SharedRing writer = SharedRing.Create(prefix + "await", capacity: 1 << 16);
    using SharedRing reader = SharedRing.Open(prefix + "await");
    byte[] message = new byte[reader.MaxMessageLength];
    Repeat(200, () =>
    {
        Task<int> reading = reader.ReadAsync(message).AsTask();
        writer.WriteAsync(new byte[10]).AsTask().Wait();
        Require(reading.Result == 10, "the message comes to who awaits it");
    });
});
RunPart("queue", isShared: true, () =>
{
    using SharedQueue writer = SharedQueue.Create(prefix + "queue", capacity: 64, maxMessageLength: 256);
    using SharedQueue reader = SharedQueue.Open(prefix + "queue");
    Task writing = Task.Run(() => Repeat(1000, () => writer.Write(new byte[10])));
    byte[] message = new byte[256];
    Repeat(1000, () => Require(reader.Read(message) == 10, "each message has its length"));
    writing.Wait();
});
RunPart("topic", isShared: true, () =>
{
    using SharedTopic topic = SharedTopic.Create(prefix + "topic", capacity: 64, maxMessageLength: 64);
    using SharedTopicReader reader = topic.OpenReader();
    Task<bool> reading = Task.Run(() => reader.Read(new byte[64], out _, TimeSpan.FromSeconds(10)));
    topic.TryWrite("42"u8);
    Require(reading.Result, "the message comes");
});
RunPart("value", isShared: true, () =>
{
    using SharedValue<double> writer = SharedValue<double>.Create(prefix + "value");
    using SharedValue<double> reader = SharedValue<double>.Open(prefix + "value");
    long version = writer.Write(12.5);
    Task<bool> waiting = Task.Run(() => reader.WaitForChange(version, TimeSpan.FromSeconds(10)));
    writer.Write(13);
    Require(waiting.Result && reader.TryRead(out double latest, out _) && latest == 13, "the reader hears of the change");
});
RunPart("pipe", isShared: true, () =>
{
    using SharedPipeListener listener = SharedPipeListener.Create(prefix + "pipe");
    Task<SharedPipe> accepting = listener.AcceptAsync().AsTask();
    using Stream client = SharedPipe.ConnectAsync(prefix + "pipe").AsTask().Result.AsStream();
    using Stream server = accepting.Result.AsStream();
    client.Write(new byte[1000]);
    client.Flush();
    server.ReadExactly(new byte[1000]);
});
RunPart("listing", isShared: false, () =>
{
    SharedRegion.DeleteAbandoned();
    Require(SharedRegion.List().Count == 0, "nothing is left");
});
Console.WriteLine($"{passed} passed, {failed} failed");
return failed == 0 ? 0 : 1;

void RunPart(string part, bool isShared, Action work)
{
    string? fault = null;
    try
    {
        Task task = Task.Run(work);
        if (Task.WhenAny(task, Task.Delay(30_000)).Result != task)
        {
            Console.WriteLine($"{part}: hangs");
            Environment.Exit(1);
        }

        task.GetAwaiter().GetResult();
        fault = isShared && !hasSharedMemory ? "works without /dev/shm" : null;
    }
    catch (IOException e) when (isShared && !hasSharedMemory && e.InnerException is null
        && e.Message.EndsWith(
            "cannot be created: there is no directory /dev/shm. Shared memory needs a memory file system (tmpfs) there.",
            StringComparison.Ordinal))
    {
        Console.WriteLine($"{part}: {e.Message}");
    }
    catch (Exception e)
    {
        fault = e.ToString();
    }

    (passed, failed) = fault is null ? (passed + 1, failed) : (passed, failed + 1);
    Console.WriteLine(fault is null ? $"{part}: as expected" : $"FAILED {part}: {fault}");
}

static void Repeat(int times, Action work)
{
    for (int i = 0; i < times; i++)
    {
        work();
    }
}

static void Require(bool isTrue, string what)
{
    if (!isTrue)
    {
        throw new InvalidOperationException($"Not so: {what}.");
    }
}

static unsafe void FillAndFree(NativeHeap heap)
{
    List<nint> blocks = [];
    for (int i = 0; i < 20_000; i++)
    {
        byte* block = (byte*)heap.Allocate((nuint)(1 + (i % 1000)));
        *block = 1;
        blocks.Add((nint)block);
    }

    blocks.ForEach(block => heap.Free((void*)block));
    byte* large = (byte*)heap.Allocate(8 << 20);
    new Span<byte>(large, 8 << 20).Fill(1);
    heap.Free(large);
}

static unsafe void RequireRefusal(NativeHeap heap)
{
    try
    {
        heap.Allocate((nuint)1 << 30);
    }
    catch (OutOfMemoryException e) when (e.Message.Contains("at most 67108864 bytes", StringComparison.Ordinal))
    {
        return;
    }

    throw new InvalidOperationException("A gibibyte was not refused with the container's limit.");
}
