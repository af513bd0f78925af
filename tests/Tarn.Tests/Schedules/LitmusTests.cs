using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>The memory models themselves, on the small programs that processors' manuals describe them with.</summary>
public class LitmusTests
{
    public enum Link
    {
        Plain,
        Volatile,
        Fenced,
        Dependent,
    }

    /// <summary>
    /// Store buffering: each thread stores and then reads the location that the other stores to. May both read the old value?
    /// </summary>
    [Theory]
    [InlineData(Link.Plain, MemoryModel.StoreBuffers)]
    [InlineData(Link.Volatile, MemoryModel.StoreBuffers)]
    [InlineData(Link.Fenced, null)]
    public void Both_threads_may_miss_the_other_s_store(Link link, MemoryModel? strictest) => AssertSeen(strictest, protocol =>
    {
        int x = protocol.Location("x");
        int y = protocol.Location("y");
        Expression first = AddStoreAndLoad(protocol.Thread("first"), x, y, link);
        Expression second = AddStoreAndLoad(protocol.Thread("second"), y, x, link);
        return end => end.Of(protocol.Threads[0], first) == 0 && end.Of(protocol.Threads[1], second) == 0;
    });

    /// <summary>The same where one thread pays for both with a process-wide barrier.</summary>
    [Theory]
    [InlineData(false, MemoryModel.StoreBuffers)]
    [InlineData(true, null)]
    public void A_process_wide_barrier_serves_the_thread_without_a_fence(bool hasBarrier, MemoryModel? strictest) =>
        AssertSeen(strictest, protocol =>
        {
            int x = protocol.Location("x");
            int y = protocol.Location("y");
            Expression first = AddStoreAndLoad(protocol.Thread("first"), x, y, Link.Plain);
            ThreadProgram second = protocol.Thread("second");
            Expression read = second.Register("read");
            second.Store(y, 1, "(y = 1)");
            if (hasBarrier)
            {
                second.ProcessWideBarrier(protocol, "(barrier)");
            }

            second.Load(read, x, "(x)");
            return end => end.Of(protocol.Threads[0], first) == 0 && end.Of(second, read) == 0;
        });

    /// <summary>Message passing: one thread writes data and a flag; may the other see the flag and old data?</summary>
    [Theory]
    [InlineData(Link.Plain, Link.Plain, MemoryModel.Weak)]
    [InlineData(Link.Volatile, Link.Plain, MemoryModel.Weak)]
    [InlineData(Link.Plain, Link.Volatile, MemoryModel.Weak)]
    [InlineData(Link.Volatile, Link.Volatile, null)]
    [InlineData(Link.Volatile, Link.Dependent, null)]
    public void A_flag_may_be_seen_before_its_data(Link write, Link read, MemoryModel? strictest) => AssertSeen(strictest, protocol =>
    {
        int data = protocol.Location("data");
        int flag = protocol.Location("flag");
        ThreadProgram writer = protocol.Thread("writer");
        ThreadProgram reader = protocol.Thread("reader");
        Expression isSet = reader.Register("isSet");
        Expression seen = reader.Register("seen");
        writer.Store(data, 1, "(data = 1)");
        writer.Store(flag, 1, "(flag = 1)", write == Link.Volatile ? StepOrder.Release : StepOrder.Plain);
        reader.Load(isSet, flag, "(flag)", read == Link.Volatile ? StepOrder.Acquire : StepOrder.Plain);
        reader.If(isSet, () => reader.Load(seen, read == Link.Dependent ? isSet + (data - 1) : data, "(data)"));
        return end => end.Of(reader, isSet) == 1 && end.Of(reader, seen) == 0;
    });

    /// <summary>Load buffering: each thread reads, then stores to the location that the other reads. May both read the new value?</summary>
    [Theory]
    [InlineData(Link.Plain, MemoryModel.Weak)]
    [InlineData(Link.Volatile, null)]
    public void Both_threads_may_see_a_later_store_of_the_other(Link link, MemoryModel? strictest) => AssertSeen(strictest, protocol =>
    {
        int x = protocol.Location("x");
        int y = protocol.Location("y");
        Expression Add(ThreadProgram thread, int read, int written)
        {
            Expression seen = thread.Register("seen");
            thread.Load(seen, read, "(reads)");
            thread.Store(written, 1, "(writes)", link == Link.Volatile ? StepOrder.Release : StepOrder.Plain);
            return seen;
        }

        Expression first = Add(protocol.Thread("first"), x, y);
        Expression second = Add(protocol.Thread("second"), y, x);
        return end => end.Of(protocol.Threads[0], first) == 1 && end.Of(protocol.Threads[1], second) == 1;
    });

    /// <summary>Coherence: no thread reads the new value of a location first and the old one afterwards.</summary>
    [Fact]
    public void One_location_never_goes_back() => AssertSeen(null, protocol =>
    {
        int x = protocol.Location("x");
        protocol.Thread("writer").Store(x, 1, "(x = 1)");
        ThreadProgram reader = protocol.Thread("reader");
        Expression[] seen = [reader.Register("first"), reader.Register("second")];
        reader.Load(seen[0], x, "(x)");
        reader.Load(seen[1], x, "(x)");
        return end => end.Of(reader, seen[0]) == 1 && end.Of(reader, seen[1]) == 0;
    });

    /// <summary>A store is not done before it is certain that it is to happen.</summary>
    [Fact]
    public void No_store_is_guessed() => AssertSeen(null, protocol =>
    {
        int x = protocol.Location("x");
        int y = protocol.Location("y");
        foreach ((int read, int written) in ((int, int)[])[(x, y), (y, x)])
        {
            ThreadProgram thread = protocol.Thread("thread");
            Expression seen = thread.Register("seen");
            thread.Load(seen, read, "(reads)");
            thread.If(seen, () => thread.Store(written, 1, "(writes)"));
        }

        return end => end[x] == 1 || end[y] == 1;
    });

    private static Expression AddStoreAndLoad(ThreadProgram thread, int stored, int loaded, Link link)
    {
        Expression seen = thread.Register("seen");
        Expression old = thread.Register("old");
        if (link == Link.Fenced)
        {
            thread.Exchange(old, stored, 1, "(exchanges)");
        }
        else
        {
            thread.Store(stored, 1, "(stores)", link == Link.Volatile ? StepOrder.Release : StepOrder.Plain);
        }

        thread.Load(seen, loaded, "(reads)", link == Link.Volatile ? StepOrder.Acquire : StepOrder.Plain);
        return seen;
    }

    /// <summary>Asserts that an outcome shows in <paramref name="strictest"/> and all weaker models, or in none.</summary>
    private static void AssertSeen(MemoryModel? strictest, Func<Protocol, Func<EndState, bool>> make)
    {
        foreach (MemoryModel model in Enum.GetValues<MemoryModel>())
        {
            Protocol protocol = new();
            Func<EndState, bool> isSeen = make(protocol);
            protocol.AtEnd("the outcome is not seen", end => !isSeen(end));
            Assert.Equal(model >= strictest, Search.Run(protocol, model).BrokenRule is not null);
        }
    }
}
