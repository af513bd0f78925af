using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>The ledger of a checked pool's rents and returns.</summary>
public sealed class RentLedgerTests
{
    private readonly string _name = $"ledger {Guid.NewGuid()}";

    [Fact]
    public void Without_checks_there_is_none() => Assert.Null(RentLedger.Create(BufferChecks.None, _name));

    [Theory]
    [InlineData(BufferChecks.Returns)]
    [InlineData(BufferChecks.UseAfterReturn)]
    [InlineData(BufferChecks.All)]
    public void A_second_return_is_refused_with_both_stacks_until_the_next_rent(BufferChecks checks)
    {
        using IncidentLog incidents = new(_name);
        RentLedger ledger = RentLedger.Create(checks, _name)!;
        byte[] array = new byte[100];
        RentHere(ledger, array);
        ReturnHere(ledger, array);

        InvalidOperationException refused = Assert.Throws<InvalidOperationException>(() => ReturnHere(ledger, array));
        Assert.Contains(nameof(RentHere), refused.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(ReturnHere), refused.Message, StringComparison.Ordinal);
        BufferIncident incident = incidents.WaitForOne();
        Assert.Equal(BufferIncidentKind.DoubleReturn, incident.Kind);
        Assert.Contains(nameof(RentHere), incident.RentedAt, StringComparison.Ordinal);
        Assert.Contains(nameof(ReturnHere), incident.ReturnedAt, StringComparison.Ordinal);

        RentHere(ledger, array);
        ReturnHere(ledger, array);
    }

    [Theory]
    [InlineData(BufferChecks.Returns, true)]
    [InlineData(BufferChecks.UseAfterReturn, false)]
    [InlineData(BufferChecks.Leaks, false)]
    public void An_array_of_others_is_refused_where_returns_are_checked(BufferChecks checks, bool refuses)
    {
        using IncidentLog incidents = new(_name);
        RentLedger ledger = RentLedger.Create(checks, _name)!;
        Exception? refused = Record.Exception(() => ReturnHere(ledger, new byte[100]));
        if (refuses)
        {
            Assert.IsType<InvalidOperationException>(refused);
            Assert.Equal(BufferIncidentKind.ForeignReturn, incidents.WaitForOne().Kind);
        }
        else
        {
            Assert.Null(refused);
            incidents.AssertNone();
        }
    }

    /// <summary>Both pass the check before the return; one of them is first.</summary>
    [Fact]
    public void Of_returns_on_many_threads_at_once_one_passes()
    {
        RentLedger ledger = RentLedger.Create(BufferChecks.Returns, _name)!;
        for (int round = 0; round < 50; round++)
        {
            byte[] array = new byte[100];
            ledger.OnRented(array, 100);
            int refused = 0;
            using Barrier start = new(4);
            Thread[] threads = [.. Enumerable.Range(0, 4).Select(_ => new Thread(() =>
            {
                start.SignalAndWait();
                Interlocked.Add(ref refused, Record.Exception(() => ReturnHere(ledger, array)) is InvalidOperationException ? 1 : 0);
            }))];
            Array.ForEach(threads, static thread => thread.Start());
            Array.ForEach(threads, static thread => thread.Join());
            Assert.Equal(3, refused);
        }
    }

    [Theory]
    [InlineData(BufferChecks.Leaks, false, true)]
    [InlineData(BufferChecks.Leaks, true, false)]
    [InlineData(BufferChecks.Returns, false, false)]
    public void An_array_that_is_gone_is_a_leak_unless_it_was_returned(BufferChecks checks, bool isReturned, bool isLeak)
    {
        using IncidentLog incidents = new(_name);
        RentLedger ledger = RentLedger.Create(checks, _name)!;
        Drop(ledger, isReturned);
        Eventually.Collect();
        if (isLeak)
        {
            Eventually.TrueAfterCollections(() => incidents.Count > 0, "the leak is reported");
            Assert.Equal((BufferIncidentKind.Leak, 100), (incidents.WaitForOne().Kind, incidents.All[0].SizeInBytes));
        }
        else
        {
            incidents.AssertNone();
        }
    }

    [Fact]
    public void A_second_disposal_is_reported_and_never_throws()
    {
        using IncidentLog incidents = new(_name);
        RentLedger ledger = RentLedger.Create(BufferChecks.Returns, _name)!;
        byte[] array = new byte[100];
        RentHere(ledger, array);
        RentRecord record = ledger.Find(array)!;
        ReturnHere(ledger, array);
        ledger.OnDisposedTwice(record: null);
        incidents.AssertNone();

        ledger.OnDisposedTwice(record);

        Assert.Equal(BufferIncidentKind.DoubleReturn, incidents.WaitForOne().Kind);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RentHere(RentLedger ledger, byte[] array) => ledger.OnRented(array, array.Length);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReturnHere(RentLedger ledger, byte[] array)
    {
        ledger.BeforeReturn(array, array.Length);
        ledger.OnReturned(array);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Drop(RentLedger ledger, bool isReturned)
    {
        byte[] array = new byte[100];
        RentHere(ledger, array);
        if (isReturned)
        {
            ReturnHere(ledger, array);
        }
    }
}
