using Tarn.TestChild;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>The latest value: whole for every reader, whoever writes or ends meanwhile.</summary>
[Collection(nameof(TaskWaiters))]
public sealed class ValueTests : RingTest
{
    private static readonly TimeSpan s_long = TimeSpan.FromSeconds(60);

    [Fact]
    public void A_reader_gets_the_latest_value_and_its_version()
    {
        SharedValue<WideValue> value = CreateValue();
        SharedValue<WideValue> reader = OpenValue();
        Assert.False(reader.TryRead(out WideValue none, out long version));
        Assert.Equal((0, 0, 0, 0), (none.Number, version, reader.Version, reader.WriterProcessId));
        for (int number = 1; number < 30; number++)
        {
            Assert.Equal(number, value.Write(WideValue.Of(number)));
            Assert.True(reader.TryRead(out WideValue read, out version));
            Assert.Equal((number, number, number), (read.Number, version, value.Version));
            Assert.True(reader.TryRead(out read));
            Assert.Equal(number, read.Number);
        }

        Assert.Equal(Environment.ProcessId, reader.WriterProcessId);
    }

    [Fact]
    public void One_object_at_a_time_is_the_writer()
    {
        SharedValue<WideValue> value = CreateValue();
        SharedValue<WideValue> other = OpenValue();
        value.AttachWriter();
        value.AttachWriter();
        string message = Assert.Throws<InvalidOperationException>(() => other.Write(default)).Message;
        Assert.Equal(
            $"The value \"{Name}\" has a writer already, which must dispose its value first: this process.", message);
        Assert.Throws<InvalidOperationException>(other.AttachWriter);
        Assert.Equal(0, other.Version);

        value.Write(WideValue.Of(1));
        value.Dispose();
        Assert.Equal(2, other.Write(WideValue.Of(2)));
        Assert.Throws<ObjectDisposedException>(() => value.Write(default));
        Assert.Throws<ObjectDisposedException>(() => value.TryRead(out _));
        Assert.Throws<ObjectDisposedException>(() => value.Version);
    }

    /// <summary>The creator removes the name; the objects that have it open go on.</summary>
    [Fact]
    public void A_value_of_another_size_or_kind_is_refused()
    {
        CreateValue();
        string message = Assert.Throws<InvalidDataException>(() => SharedValue<long>.Open(Name)).Message;
        Assert.Contains("it has 320 bytes", message, StringComparison.Ordinal);
        Assert.Contains("System.Int64 has 8", message, StringComparison.Ordinal);
        message = Assert.Throws<IOException>(() => SharedValue<long>.CreateOrOpen(Name)).Message;
        Assert.Contains("exists with 320 bytes, not 8 bytes", message, StringComparison.Ordinal);
        Assert.Contains("it is a value", Assert.Throws<InvalidDataException>(Open).Message, StringComparison.Ordinal);
        Assert.Contains("a value of 320 bytes", Assert.Throws<IOException>(() => CreateValue()).Message, StringComparison.Ordinal);
        using SharedValue<WideValue> same = SharedValue<WideValue>.CreateOrOpen(Name);
        Assert.Equal(Name, same.Name);
        Assert.Throws<FileNotFoundException>(() => SharedValue<long>.Open(Name + "-other"));
    }

    [Fact]
    public async Task Readers_see_no_half_of_a_value_while_threads_write()
    {
        SharedValue<WideValue> value = CreateValue();
        SharedValue<WideValue> reader = OpenValue();
        bool isOver = false;
        Task[] writing = [.. Enumerable.Range(0, 2).Select(_ => OnThread(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                value.Write(WideValue.Of(Random.Shared.NextInt64(long.MaxValue)));
            }
        }))];
        int steps = RandomProgram.Steps(perSecond: 400_000);
        Task[] reading = [.. Enumerable.Range(0, 2).Select(_ => OnThread(() =>
        {
            long last = 0;
            for (int i = 0; i < steps; i++)
            {
                if (reader.TryRead(out WideValue read, out long version))
                {
                    Assert.True(read.Number >= 0, "a value is torn");
                    Assert.True(version >= last, "a version fell");
                    last = version;
                }
            }
        }))];
        await Eventually.AllEnd(reading, "all reads end");
        Volatile.Write(ref isOver, true);
        await Eventually.AllEnd(writing, "the writers end");
    }

    /// <summary>A value equals its version, also the last one of a writer that was killed and the first of its successor.</summary>
    [Fact]
    public void A_killed_writer_leaves_a_whole_value_and_its_successor_goes_on()
    {
        SharedValue<WideValue> value = CreateValue();
        Random random = new();
        for (int kill = 0; kill < 6; kill++)
        {
            using System.Diagnostics.Process writer = ChildProcess.Start(
                ["value writer", Name], limits: null, ("DOTNET_EnableDiagnostics", "0"));
            Assert.Equal("ready", writer.StandardOutput.ReadLine());
            long before = value.Version;
            Assert.True(value.WaitForChange(before, s_long));
            Assert.Equal(writer.Id, value.WriterProcessId);
            for (int i = random.Next(2000); i > 0; i--)
            {
                AssertWhole(value);
            }

            writer.Kill();
            writer.WaitForExit();
            Assert.True(AssertWhole(value) > before);
            Assert.Equal(0, value.WriterProcessId);
        }
    }

    [Fact]
    public async Task A_wait_ends_with_a_change_a_cancellation_or_disposal()
    {
        SharedValue<WideValue> value = CreateValue();
        SharedValue<WideValue> reader = OpenValue();
        Assert.False(reader.WaitForChange(0, TimeSpan.Zero));
        Assert.False(reader.WaitForChange(0, TimeSpan.FromMilliseconds(20)));
        for (int i = 0; i < 10; i++)
        {
            Task waiting = reader.WaitForChangeAsync(i).AsTask();
            Task<bool> another = Task.Run(() => reader.WaitForChange(i, s_long));
            Thread.Sleep(i);
            Assert.False(waiting.IsCompleted);
            value.Write(WideValue.Of(i));
            await Eventually.AllEnd([waiting, another], "both waits end");
            await waiting;
            Assert.True(await another);
            Assert.True(reader.WaitForChange(i, TimeSpan.Zero));
        }

        using CancellationTokenSource source = new();
        Task cancelled = reader.WaitForChangeAsync(10, source.Token).AsTask();
        Task disposed = reader.WaitForChangeAsync(10).AsTask();
        Task held = OnThread(() => reader.WaitForChange(10, Timeout.InfiniteTimeSpan));
        source.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.WaitAsync(s_long));
        reader.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => disposed.WaitAsync(s_long));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => held.WaitAsync(s_long));
        Assert.Throws<ArgumentOutOfRangeException>("version", () => value.WaitForChange(-1, s_long));
        Assert.Throws<ArgumentOutOfRangeException>("timeout", () => value.WaitForChange(1, TimeSpan.FromSeconds(-5)));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>("version", async () => await value.WaitForChangeAsync(-1));
    }

    /// <summary>Whatever the version is, calls end: with any bytes, or by an exception.</summary>
    /// <summary>Their bytes mean other things. A struct may be any number of its size, as programs name their types as they like.</summary>
    [Fact]
    public void A_number_of_another_kind_is_refused()
    {
        using SharedValue<int> value = SharedValue<int>.Create(Name);
        value.Write(-1);
        string refused = Assert.Throws<InvalidDataException>(() => SharedValue<float>.Open(Name)).Message;
        Assert.Contains("kind Signed", refused, StringComparison.Ordinal);
        Assert.Contains("System.Single is one of the kind Float", refused, StringComparison.Ordinal);
        Assert.Throws<InvalidDataException>(() => SharedValue<uint>.Open(Name));
        Assert.Throws<InvalidDataException>(() => SharedValue<float>.CreateOrOpen(Name));
        foreach (IDisposable same in (IDisposable[])
            [
                SharedValue<int>.Open(Name), SharedValue<DayOfWeek>.Open(Name), SharedValue<Wrapped>.Open(Name),
                SharedValue<int>.CreateOrOpen(Name),
            ])
        {
            same.Dispose();
        }

        using SharedValue<Wrapped> wrapped = SharedValue<Wrapped>.Create(Name + "-wrapped");
        SharedValue<float>.Open(wrapped.Name).Dispose();
        using SharedValue<Half> half = SharedValue<Half>.Create(Name + "-half");
        Assert.Throws<InvalidDataException>(() => SharedValue<short>.Open(half.Name));
        using SharedValue<decimal> price = SharedValue<decimal>.Create(Name + "-price");
        Assert.Throws<InvalidDataException>(() => SharedValue<Int128>.Open(price.Name));
        SharedValue<Guid>.Open(price.Name).Dispose();
        using SharedValue<bool> flag = SharedValue<bool>.Create(Name + "-flag");
        Assert.Throws<InvalidDataException>(() => SharedValue<byte>.Open(flag.Name));
    }

    private readonly record struct Wrapped(int Number);

    [Fact]
    public async Task A_version_that_another_process_overwrites_ends_no_process_and_hangs_no_call()
    {
        SharedValue<WideValue> value = CreateValue();
        value.Write(WideValue.Of(1));
        bool isOver = false;
        Task scribbling = OnThread(() => Scribble(value, new Random(1), ref isOver));
        Task calling = OnThread(() =>
        {
            for (int i = 0; i < 3000; i++)
            {
                Call(() => value.TryRead(out _));
                Call(() => value.Write(default));
                Call(() => value.WaitForChange(value.Version & long.MaxValue >> 1, TimeSpan.FromMilliseconds(i % 2)));
            }
        });
        await Eventually.Ends(calling, "all calls end");
        Volatile.Write(ref isOver, true);
        await scribbling;
        SetVersion(value, long.MaxValue);
        Assert.Throws<InvalidDataException>(() => value.Write(default));
        SetVersion(value, 5);
        Assert.Equal(6, value.Write(WideValue.Of(6)));
        Assert.Equal(6, AssertWhole(value));
    }

    private static void Call(Action call)
    {
        try
        {
            call();
        }
        catch (InvalidDataException)
        {
            // Documented.
        }
    }

    private static unsafe void Scribble(SharedValue<WideValue> value, Random random, ref bool isOver)
    {
        while (!Volatile.Read(ref isOver))
        {
            SetVersion(value, random.Next(3) == 0 ? random.NextInt64(long.MinValue, long.MaxValue) : random.Next(20));
            Thread.SpinWait(random.Next(100));
        }
    }

    private static unsafe void SetVersion(SharedValue<WideValue> value, long version) =>
        Volatile.Write(ref value.Header->Version, version);

    private static long AssertWhole(SharedValue<WideValue> value)
    {
        Assert.True(value.TryRead(out WideValue read, out long version));
        Assert.Equal(version, read.Number);
        return version;
    }

    private SharedValue<WideValue> CreateValue() => Keep(SharedValue<WideValue>.Create(Name));

    private SharedValue<WideValue> OpenValue() => Keep(SharedValue<WideValue>.Open(Name));
}
