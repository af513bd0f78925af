using System.Diagnostics;

namespace Tarn.Torture.Composed;

/// <summary>Leaves out of a program what its failure does not need: steps, then things of the company, then the size of numbers.</summary>
internal sealed class Shrinking
{
    private const int MostRuns = 1_000;

    private static readonly TimeSpan s_most = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);

    private readonly Stopwatch _elapsed = Stopwatch.StartNew();
    private readonly string _kind;
    private ComposedFailure _least;
    private int _runs;

    internal Shrinking(ComposedFailure failure) => (_kind, _least) = (failure.Kind, failure);

    /// <summary>The failure with the least that still fails in the same way.</summary>
    internal ComposedFailure Run()
    {
        int before;
        do
        {
            before = _runs;
            ComposedProgram least = _least.Program;
            LeaveOutSteps();
            SimplifyCompany();
            Lessen();
            if (_least.Program == least)
            {
                break;
            }
        }
        while (_runs > before && HasTime);
        return _least;
    }

    private bool HasTime => _runs < MostRuns && _elapsed.Elapsed < s_most;

    /// <summary>Half of the steps, a quarter, and so on to single ones, as long as it fails without them.</summary>
    private void LeaveOutSteps()
    {
        for (int length = Math.Max(1, _least.Program.Steps.Count / 2); length > 0; length /= 2)
        {
            for (int start = _least.Program.Steps.Count - length; start >= 0 && HasTime; start -= length)
            {
                Step[] steps = [.. _least.Program.Steps];
                if (start + length <= steps.Length)
                {
                    Try(_least.Program with { Steps = [.. steps[..start], .. steps[(start + length)..]] });
                }
            }
        }
    }

    private void SimplifyCompany()
    {
        foreach (CompanySettings simpler in _least.Program.Settings.Simpler().ToArray())
        {
            Try(_least.Program with { Settings = simpler });
        }
    }

    private void Lessen()
    {
        for (int index = 0; index < _least.Program.Steps.Count; index++)
        {
            foreach (int number in (ReadOnlySpan<int>)[1, 16, 256, 1_000, 4_096])
            {
                Step[] steps = [.. _least.Program.Steps];
                if (number < steps[index].Number && HasTime)
                {
                    steps[index] = steps[index] with { Number = number };
                    if (Try(_least.Program with { Steps = steps }))
                    {
                        break;
                    }
                }
            }
        }
    }

    private bool Try(ComposedProgram program)
    {
        _runs++;
        if (HasTime && program.Try(s_patience) is { } failure && failure.Kind == _kind)
        {
            _least = failure;
            return true;
        }

        return false;
    }
}
