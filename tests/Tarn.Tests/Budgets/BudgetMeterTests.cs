using System.Diagnostics.Metrics;

namespace Tarn.Tests.Budgets;

/// <summary>Budgets in metrics.</summary>
public sealed class BudgetMeterTests
{
    [Fact]
    public async Task The_instruments_report_each_budget_by_its_name()
    {
        string name = $"budget {Guid.NewGuid()}";
        BufferBudget all = new(100, name);
        BufferBudget tenant = all.CreateChild(80, name + " child");
        tenant.Take(60);
        Assert.False(all.TryTake(41));
        Task waiting = all.TakeAsync(50).AsTask();
        Assert.Equal((60, 1, 1, 0), Measure(name));
        Assert.Equal((60, 0, 0, 0), Measure(name + " child"));
        tenant.Return(60);
        await waiting;
        Assert.Equal((100, 0, 0), MeasureState(name));
        (double inUse, double waits, double refused, double longest) = Measure(name);
        Assert.Equal((50, 0, 1, true), (inUse, waits, refused, longest > 0));
        GC.KeepAlive(tenant);
    }

    private static (double InUse, double Waiting, double Refused, double LongestWait) Measure(string name)
    {
        Dictionary<string, double> values = Read(name);
        return (
            values["tarn.budgets.in_use"], values["tarn.budgets.waiting"], values["tarn.budgets.refused"],
            values["tarn.budgets.longest_wait"]);
    }

    private static (double Limit, double Deadlocks, double OldestWait) MeasureState(string name)
    {
        Dictionary<string, double> values = Read(name);
        return (values["tarn.budgets.limit"], values["tarn.budgets.deadlocks"], values["tarn.budgets.oldest_wait"]);
    }

    private static Dictionary<string, double> Read(string name)
    {
        Dictionary<string, double> values = [];
        using MeterListener listener = new();
        listener.InstrumentPublished = static (instrument, self) =>
        {
            if (instrument.Name.StartsWith("tarn.budgets.", StringComparison.Ordinal))
            {
                self.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Note(instrument, value, tags));
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Note(instrument, value, tags));
        listener.Start();
        listener.RecordObservableInstruments();
        return values;

        void Note(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            if ((string?)tags[0].Value == name)
            {
                values.Add(instrument.Name, value);
            }
        }
    }
}
