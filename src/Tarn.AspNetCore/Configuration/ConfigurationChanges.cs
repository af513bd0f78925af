using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Primitives;

namespace Tarn;

/// <summary>Follows the configuration while the application runs, and says what of a change takes effect.</summary>
/// <remarks>
/// Only <see cref="TarnServerOptions.RequestBudgetTimeout"/> and <see cref="TarnServerOptions.RetryAfter"/> can change: the other settings
/// belong to pools that live. A change that cannot be read changes nothing, because a misspelt key must not take a running service down.
/// </remarks>
internal sealed partial class ConfigurationChanges(
    IEnumerable<FollowedConfiguration> followed,
    TarnServerOptions options,
    RequestPools pools,
    BudgetRefusals refusals,
    ILogger<ConfigurationChanges> log)
    : IHostedService, IDisposable
{
    private static readonly string[] s_followed = [nameof(TarnServerOptions.RequestBudgetTimeout), nameof(TarnServerOptions.RetryAfter)];

    /// <summary>The section; null if a later call of <c>AddTarn</c> has replaced what it says.</summary>
    private readonly IConfiguration? _section = followed.FirstOrDefault()?.Section;

    private IDisposable? _following;

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        _following = _section is null ? null : ChangeToken.OnChange(_section.GetReloadToken, Read, _section);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken)
    {
        Dispose();
        return Task.CompletedTask;
    }

    public void Dispose() => _following?.Dispose();

    private void Read(IConfiguration section)
    {
        TarnServerOptions changed = options.Copy();
        try
        {
            ConfigurationReader.Read(section, changed, options.RequestBudget);
        }
        catch (InvalidOperationException exception)
        {
            WarnOfFault(log, exception.Message);
            return;
        }

        if (changed.FindContradictions().FirstOrDefault() is { } contradiction)
        {
            WarnOfFault(log, contradiction);
            return;
        }

        pools.ChangeTimeout(changed.RequestBudgetTimeout);
        refusals.Change(changed.RetryAfter);
        string later = string.Join(", ", ConfigurationReader.FindDifferences(changed, options).Except(s_followed));
        if (later.Length > 0)
        {
            WarnOfRestart(log, later);
        }
    }

    [LoggerMessage(
        EventId = 2, EventName = "ConfigurationIgnored", Level = LogLevel.Warning,
        Message = "A change of Tarn's configuration is ignored. {Fault}")]
    private static partial void WarnOfFault(ILogger log, string fault);

    [LoggerMessage(
        EventId = 3, EventName = "RestartNeeded", Level = LogLevel.Warning,
        Message = "Tarn's configuration has changed in {Settings}: that takes effect when the application starts again.")]
    private static partial void WarnOfRestart(ILogger log, string settings);
}
