using System.Globalization;
using Tarn.Lab.Scenarios;

switch (args)
{
    case ["serve", var name] when Scenario.Find(name) is { } scenario:
        await using (await scenario.ServeAsync(port => Console.WriteLine($"ready {port}")))
        {
            // The process that started it ends it by closing its input.
            _ = await Console.In.ReadToEndAsync();
        }

        return 0;
    case ["load", var name, var port, var seconds] when Scenario.Find(name) is { } scenario:
        using (var end = new CancellationTokenSource(TimeSpan.FromSeconds(double.Parse(seconds, CultureInfo.InvariantCulture))))
        {
            await scenario.LoadAsync(int.Parse(port, CultureInfo.InvariantCulture), end.Token);
        }

        return 0;
    case ["rent", var rounds, .. var rest]:
        KnownRents.Run(int.Parse(rounds, CultureInfo.InvariantCulture), waits: rest is ["wait"]);
        return 0;
    default:
        string names = string.Join(", ", Scenario.All.Select(one => one.Name));
        Console.Error.WriteLine($"Use: tarn-scenarios serve NAME | load NAME PORT SECONDS | rent ROUNDS [wait]; names: {names}");
        return 2;
}
